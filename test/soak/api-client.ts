import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Answers } from './latencies.js';

/** An agency's account at the service. */
export interface Account {
  readonly agencyId: string;
  readonly workspaceId: string;
  readonly secret: string;
}

export interface Reply<Body> {
  readonly status: number;
  readonly body: Body;
  readonly retryAfter: number;
  /** The path of what was made, or was kept of a refused enrollment. */
  readonly location?: string | undefined;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Sends requests as an agency's backend does, and counts the answers. */
export class ApiClient {
  readonly #pool: Pool;

  constructor(
    url: string,
    private readonly account: Account,
    private readonly answers: Answers,
  ) {
    this.#pool = new Pool(url, { connections: 32, pipelining: 1, headersTimeout: 60_000 });
  }

  /** `kind` is what it is counted as; a request without an answer counts as status 599. */
  async send<Body>(kind: string, method: Method, path: string, body?: object, key?: string): Promise<Reply<Body>> {
    const began = performance.now();
    const done = (status: number) => this.answers.add(`${method} ${kind}`, status, performance.now() - began);
    try {
      const {
        statusCode,
        headers,
        body: content,
      } = await this.#pool.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${this.account.secret}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await content.text();
      done(statusCode);
      const isJson = String(headers['content-type']).startsWith('application/json');
      const retryAfter = Number(headers['retry-after'] ?? 0);
      const location = headers.location?.toString();
      return { status: statusCode, body: (isJson ? JSON.parse(text) : {}) as Body, retryAfter, location };
    } catch {
      done(599);
      return { status: 599, body: {} as Body, retryAfter: 0 };
    }
  }

  /** Waits where the allowance of the minute is used up: for what is read after the run. */
  async withRetries<Body>(path: string): Promise<Body> {
    for (;;) {
      const { status, body, retryAfter } = await this.send<Body>('afterwards', 'GET', path);
      if (status === 200) return body;
      if (status !== 429) throw new Error(`${path} was answered ${status} ${JSON.stringify(body)}`);
      await delay(retryAfter * 1_000);
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
