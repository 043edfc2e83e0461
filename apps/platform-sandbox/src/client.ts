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

  /** Answers any status. A `key` is sent as Idempotency-Key. */
  async call<Body>(method: string, path: string, body?: unknown, key?: string): Promise<SandboxAnswer<Body>> {
    const response = await fetch(this.sandbox.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.sandbox.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  }

  /** A control under `/_sandbox`; throws unless it is done. */
  async control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, `/_sandbox${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  /** A POST whose body's `reference` is the key. */
  post<Body>(path: string, body: Referring): Promise<SandboxAnswer<Body>> {
    return this.call('POST', path, body, body.reference);
  }
}
