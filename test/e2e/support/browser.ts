const PAGE = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
const MAX_REDIRECTS = 20;

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export interface Opened {
  /** Where the browser is in the end. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** As much of a browser as a login needs: cookies, redirects and forms. Like a real one it does not keep ports apart. */
export class Browser {
  private readonly jar = new Map<string, Cookie>();
  /** All addresses that were in its address bar. */
  readonly visited: string[] = [];

  /** Those that it has for every path. */
  get cookies(): ReadonlyMap<string, string> {
    const everywhere = [...this.jar.values()].filter(({ path }) => path === '/');
    return new Map(everywhere.map(({ name, value }) => [name, value]));
  }

  setCookie(name: string, value: string): void {
    this.jar.set(`${name} /`, { name, value, path: '/' });
  }

  /** Follows redirects. */
  async open(url: string, redirects = 0): Promise<Opened> {
    return this.follow(await this.request(url), url, redirects);
  }

  /** Sends an empty form, as a button does. */
  async submit(url: string, body = ''): Promise<Opened> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin };
    return this.follow(await this.request(url, { method: 'POST', headers, body }), url);
  }

  /** One request, whose redirect is not followed. */
  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const sent = [...this.jar.values()].filter(({ path }) => pathname.startsWith(path));
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { accept: PAGE, ...(cookie !== '' && { cookie }), ...(init.headers as object) };
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const set of response.headers.getSetCookie()) this.take(set);
    return response;
  }

  private async follow(response: Response, from: string, redirects = 0): Promise<Opened> {
    this.visited.push(from);
    const location = response.headers.get('location');
    if (location !== null && response.status < 400) {
      if (redirects === MAX_REDIRECTS) throw new Error(`too many redirects: ${this.visited.join(' → ')}`);
      await response.body?.cancel();
      return this.open(new URL(location, from).href, redirects + 1);
    }
    return { url: from, status: response.status, headers: response.headers, text: await response.text() };
  }

  private take(header: string): void {
    const [pair = '', ...attributes] = header.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const isGone = attributes.some((each) => /^max-age=0$/i.test(each) || /^expires=Thu, 01 Jan 1970/i.test(each));
    const [, path = '/'] = /; path=([^;]+)/i.exec(header) ?? [];
    if (isGone) this.jar.delete(`${name} ${path}`);
    else this.jar.set(`${name} ${path}`, { name, value, path });
  }
}
