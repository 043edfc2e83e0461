import { CreatorProtection } from './client.js';
import type { ClientOptions } from './options.js';
import type { RetryClock } from './transport/limits.js';
import type { ApiRequest } from './transport/request.js';
import { Transport } from './transport/transport.js';

export const KEY = 'svc_live_q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng';

/** The outcome of one request: an answer, a broken connection, or silence until it is aborted. */
export type Outcome = Response | Error | 'silence';

export interface Sent {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | null;
}

/** Stands in for the service: each request gets the next outcome, and the last one repeats. */
export class ScriptedService {
  readonly sent: Sent[] = [];
  readonly #outcomes: Outcome[];

  constructor(...outcomes: Outcome[]) {
    this.#outcomes = outcomes;
  }

  readonly fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(input));
    const { method = '', headers, body, signal } = init;
    this.sent.push({
      method,
      path: `${pathname}${search}`,
      headers: new Headers(headers),
      body: body as string | null,
    });
    const outcome = this.#outcomes.length > 1 ? this.#outcomes.shift() : this.#outcomes[0];
    if (outcome instanceof Error) throw outcome;
    if (outcome instanceof Response) return outcome.clone();
    return new Promise((_, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };

  client(options: Partial<ClientOptions> = {}): CreatorProtection {
    return new CreatorProtection({ baseUrl: 'https://protection.example', apiKey: KEY, fetch: this.fetch, ...options });
  }
}

export const answered = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'x-svc-mode': 'live', 'x-request-id': 'req-1', ...headers } });

export const refused = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more: object = {},
): Response =>
  answered({ error: { code, message: `The message of ${code}.`, ...more }, request_id: 'req-1' }, status, headers);

export const pageOf = (data: readonly unknown[], next_cursor: string | null): Response =>
  answered({ data, next_cursor, simulated: false });

export const brokenOff = (): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });

/** Time passes only during waits. */
export class FakeRetryClock implements RetryClock {
  readonly waits: number[] = [];
  #now = 0;

  now(): number {
    return this.#now;
  }

  random(): number {
    return 1;
  }

  async sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(milliseconds);
    this.#now += milliseconds;
  }
}

export const itemsOf = async <Item>(iterable: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const item of iterable) items.push(item);
  return items;
};

export const GET: ApiRequest = { method: 'GET', path: '/v1/me' };
export const POST: ApiRequest = {
  method: 'POST',
  path: '/v1/creators/crt_1/scans',
  body: { é: 1 },
  idempotencyKey: 'key-1',
};

export const opened = (service: ScriptedService, options: Partial<ClientOptions> = {}) => {
  const clock = new FakeRetryClock();
  const all = { baseUrl: 'https://protection.example/base/', apiKey: KEY, fetch: service.fetch, ...options };
  return { clock, transport: new Transport(all, clock) };
};

export const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error) => error,
  );

export const own = (text: string | null, type: string): Response =>
  new Response(text, { headers: { 'x-svc-mode': 'live', 'content-type': type } });
