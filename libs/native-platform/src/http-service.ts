import { type Dispatcher, Pool } from 'undici';
import { assertLeading, FairSemaphore, holdsStandIn, type PermitLimits, PersonalDataUnreadable } from '#kernel';
import { type Answer, addressOf, type Call, NO_SUCH_RECORD } from './call.js';
import { isUsual, LargeAnswers, receivedBody } from './large-answers.js';
import { ProviderError, transportError } from './provider-error.js';

export interface ServiceAddress {
  /** Base URL; its path is a prefix of each call's path. */
  readonly url: string;
  readonly token: string;
}

/** How many connections to one service this process may open. */
const CONNECTIONS = 1_024;
/** D89: one agency uses few of the connections, and half are reserved for agencies that use none. */
const CALLS: PermitLimits = { perAgency: 8, total: CONNECTIONS / 2, alwaysOne: true };
/** Far more than any answer of the contract has. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** One service over kept-alive HTTP/1.1 connections. It sends each call once, follows no redirect, uses no proxy. */
export class HttpService {
  private readonly pool: Pool;
  private readonly prefix: string;
  private readonly authorization: string;
  private readonly calls = new FairSemaphore(CALLS);
  private readonly large: LargeAnswers;

  constructor(
    { url, token }: ServiceAddress,
    private readonly timeout: number,
    largeBytesPerSecond?: number,
  ) {
    const base = new URL(url);
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError(`the token for ${base.origin} is not a valid bearer token`);
    this.prefix = base.pathname.replace(/\/+$/, '');
    this.authorization = `Bearer ${token}`;
    this.large = new LargeAnswers(timeout, largeBytesPerSecond);
    this.pool = new Pool(base.origin, {
      connections: CONNECTIONS,
      pipelining: 1,
      // HTTP/2 may repeat a request after a GOAWAY, but a call must be sent once.
      allowH2: false,
      // D64: independent of NODE_TLS_REJECT_UNAUTHORIZED.
      connect: { timeout, rejectUnauthorized: true },
      maxResponseSize: MAX_RESPONSE_BYTES,
      // The caller's signal is the only deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** The complete answer, with any status. Rejects with a `ProviderError` if none arrives before `deadline`. */
  async exchange(call: Call, deadline: AbortSignal): Promise<Answer> {
    // D71: the last check before the text would leave, because a caller may have forgotten it.
    if (holdsStandIn([call.path, call.query, call.body])) {
      throw new PersonalDataUnreadable(`${call.operation} was not sent: a personal text in it cannot be decrypted`);
    }
    const address = addressOf(call);
    if (address === undefined) return NO_SUCH_RECORD;
    const agency = agencyOf(call);
    if (agency === undefined) return this.send(call, address, undefined, deadline);
    const answer = await this.calls.run(agency, () => this.send(call, address, agency, deadline), {
      timeout: this.timeout,
    });
    if (answer === undefined)
      throw new ProviderError('provider_timeout', call.operation, 'too many calls of the agency in progress');
    return answer;
  }

  async close(): Promise<void> {
    if (!this.pool.destroyed) await this.pool.close();
  }

  abortInFlight(): Promise<void> {
    return this.pool.destroy();
  }

  private async send(call: Call, address: string, agency: string | undefined, deadline: AbortSignal): Promise<Answer> {
    assertLeading();
    try {
      const { statusCode, headers, body } = await this.pool.request(this.request(call, address, deadline));
      const retryAfter = headers['retry-after'];
      const contentLength = Number(headers['content-length'] ?? Number.NaN);
      return {
        status: statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        // Most answers are short, and are read without a loop over chunks.
        body: isUsual(contentLength)
          ? await body.bytes()
          : await receivedBody(call, agency, { body, contentLength }, this.large, deadline),
      };
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw transportError(call.operation, error, deadline.aborted);
    }
  }

  private request(call: Call, address: string, signal: AbortSignal): Dispatcher.RequestOptions {
    const headers: Record<string, string> = { authorization: this.authorization, accept: 'application/json' };
    if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey;
    if (call.fence !== undefined) headers.fence = String(call.fence);
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    return { method: call.method, path: this.prefix + address, headers, body, signal };
  }
}

const agencyOf = ({ path: [kind, agency] }: Call): string | undefined => (kind === 'agencies' ? agency : undefined);
