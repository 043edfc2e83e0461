import { randomUUID } from 'node:crypto';
import type { UserId } from '#kernel';
import { Browser, type Opened } from './browser.js';
import { type Exchange, exchangeOf } from './exchange.js';

interface PersonOptions {
  readonly id?: string;
  readonly agency_id?: string | readonly string[] | null;
  readonly roles?: readonly string[];
}

interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service that the sandbox's provider signs people in to. */
interface Visited {
  readonly url: string;
  readonly platform: { control(method: string, path: string, body?: object): Promise<unknown> };
}

/** Somebody whom the sandbox's provider knows, with a browser. */
export class Visitor {
  readonly browser = new Browser();
  private csrfToken = '';

  private constructor(
    private readonly service: Visited,
    readonly id: UserId,
  ) {}

  /** Creates a person whom the provider knows but who is not signed in. */
  static async known(service: Visited, { id = randomUUID(), ...claims }: PersonOptions = {}): Promise<Visitor> {
    const visitor = new Visitor(service, id as UserId);
    await visitor.change(claims);
    return visitor;
  }

  static async signedIn(service: Visited, options: PersonOptions = {}): Promise<Visitor> {
    const visitor = await Visitor.known(service, options);
    await visitor.signIn();
    return visitor;
  }

  /** Changes the provider's claims about the person. */
  change(claims: Omit<PersonOptions, 'id'>): Promise<unknown> {
    return this.service.platform.control('PATCH', `/people/${this.id}`, claims);
  }

  /** Opens the login, and chooses the person in the provider's list. Where the browser is then. */
  async signIn(page = '/dashboard/'): Promise<Opened> {
    const opened = await this.startSignIn(page);
    // A browser that the provider knows already is not asked again.
    if (!opened.url.startsWith(this.service.url)) return this.choose(opened);
    await this.session();
    return opened;
  }

  startSignIn(page = '/dashboard/'): Promise<Opened> {
    return this.browser.open(`${this.service.url}/dashboard/login?return_to=${encodeURIComponent(page)}`);
  }

  async choose(list: Opened): Promise<Opened> {
    const [, action] = new RegExp(`action="([^"]+${this.id})"`).exec(list.text) ?? [];
    if (action === undefined) throw new Error(`no such person at ${list.url}: ${list.text}`);
    const opened = await this.browser.submit(new URL(action, list.url).href);
    await this.session();
    return opened;
  }

  /** Reads the session, as the page does first. The answer has the token for all changes. */
  async session<Body = Record<string, unknown>>(agencyId?: string): Promise<Body> {
    const { body } = await this.get(`/session${agencyId === undefined ? '' : `?agency=${agencyId}`}`);
    const { csrf_token } = body as { csrf_token?: string };
    if (csrf_token !== undefined) this.csrfToken = csrf_token;
    return body as Body;
  }

  get(path: string): Promise<Exchange> {
    return this.send('GET', path);
  }

  /** A call of the page, by its path below `/dashboard/api`. */
  async send(method: string, path: string, { body, headers = {} }: Sent = {}): Promise<Exchange> {
    const address = path.startsWith('/dashboard/') ? path : `/dashboard/api${path}`;
    const own = { origin: this.service.url, 'x-csrf-token': this.csrfToken };
    const answer = await this.browser.request(this.service.url + address, {
      method,
      headers: {
        accept: 'application/json',
        ...(method !== 'GET' && own),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // An event stream has no end to wait for.
    const isOpen = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isOpen) await answer.body?.cancel();
    const text = isOpen ? '' : await answer.text();
    return exchangeOf(method, address, answer.status, Object.fromEntries(answer.headers), text);
  }
}
