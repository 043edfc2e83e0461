interface SandboxAnswer<Body> {
  status: number;
  body: Body;
}

interface Referring {
  reference: string;
  [member: string]: unknown;
}

/** For tests: calls of the contract and of the controls. */
export class SandboxClient {
  constructor(private readonly sandbox: { url: string; token: string }) {}

  /** Returns an answer with any status. A `key` is sent as Idempotency-Key. */
  call<Body>(method: string, path: string, body?: unknown, key?: string): Promise<SandboxAnswer<Body>> {
    return this.send(method, path, key === undefined ? {} : { 'idempotency-key': key }, body);
  }

  slot<Body>(method: 'PUT' | 'DELETE', path: string, fence: number | string): Promise<SandboxAnswer<Body>> {
    return this.send(method, path, { fence: String(fence) });
  }

  /** A control under `/_sandbox`; throws if it fails. */
  async control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, `/_sandbox${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  /** A POST whose body's `reference` is the key. */
  post<Body>(path: string, body: Referring): Promise<SandboxAnswer<Body>> {
    return this.call('POST', path, body, body.reference);
  }

  private async send<Body>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<SandboxAnswer<Body>> {
    const response = await fetch(this.sandbox.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.sandbox.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  }
}
