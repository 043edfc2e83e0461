import type { Answer } from '../api-call.js';
import { ConnectionError, CreatorProtectionError, TimeoutError } from '../errors.js';
import type { CallOptions, ClientOptions } from '../options.js';
import { VERSION } from '../version.js';
import { rootOf, withoutSecret } from './cause.js';
import { type RetryClock, systemClock } from './clock.js';
import { limited } from './limited.js';
import { limitsOf } from './limits.js';
import { type ApiRequest, inUtf8, urlOf } from './request.js';
import { type Arrived, answerOf, arrivedOf, jsonOf } from './response.js';
import { type Persistence, waitBeforeRetry } from './retry-wait.js';

interface Sending<Data> {
  readonly options?: CallOptions | undefined;
  readonly persistence?: Persistence;
  readonly read?: (arrived: Arrived) => Data;
}

/** Sends a request, with the same bytes and the same idempotency key, until its result is known or the deadline passes. */
export class Transport {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #options: ClientOptions;
  readonly #clock: RetryClock;

  constructor(options: ClientOptions, clock: RetryClock = systemClock) {
    this.#baseUrl = checkedUrl(options.baseUrl);
    this.#apiKey = checkedKey(options.apiKey);
    limitsOf(options);
    this.#options = options;
    this.#clock = clock;
  }

  async send<Data>(request: ApiRequest, sending: Sending<Data> = {}): Promise<Answer<Data>> {
    const { options = {}, persistence = 'call', read = jsonOf } = sending;
    const { signal } = options;
    const { timeout, deadline, maxRetries } = limitsOf(this.#options, options);
    const until = this.#clock.now() + deadline;
    const fetchOnce = this.#prepared(request);
    for (let attempt = 1; ; attempt++) {
      const left = until - this.#clock.now();
      try {
        const limit = Math.min(timeout, left);
        const late = new TimeoutError(`No answer came within ${Math.round(limit)} ms.`);
        return answerOf(await limited(fetchOnce, limit, late, signal), read);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof CreatorProtectionError)) throw error;
        error.attempts = attempt;
        const wait = waitBeforeRetry(error, attempt, persistence, this.#clock.random);
        if (wait === undefined || attempt > maxRetries || this.#clock.now() + wait >= until) throw error;
        this.#options.onRetry?.({ method: request.method, path: request.path, attempt, wait, error });
        await this.#clock.sleep(wait, signal);
      }
    }
  }

  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#clock.sleep(milliseconds, signal);
  }

  /** The bytes are made once, for all tries. */
  #prepared(request: ApiRequest): (signal: AbortSignal) => Promise<Arrived> {
    const { method, body, idempotencyKey } = request;
    const { fetch = globalThis.fetch } = this.#options;
    const url = urlOf(this.#baseUrl, request);
    const bytes = body === undefined ? null : JSON.stringify(body);
    // Made here, so that a wrong idempotency key is an error of the caller, and none of the connection.
    const secret = this.#apiKey;
    const headers = new Headers({
      authorization: `Bearer ${secret}`,
      'user-agent': `creator-protection-client/${VERSION}`,
      ...(bytes !== null && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': inUtf8(idempotencyKey) }),
    });
    return async (signal) => {
      try {
        // A redirect is no answer of the service, and what follows one may turn a POST into a GET.
        const response = await fetch(url, { method, headers, body: bytes, signal, redirect: 'manual' });
        return await arrivedOf(response, secret);
      } catch (error) {
        if (error instanceof CreatorProtectionError) throw error;
        const cause = withoutSecret(error, secret);
        throw new ConnectionError(`No answer came from ${method} ${request.path}: ${rootOf(cause).message}`, { cause });
      }
    };
  }
}

const checkedUrl = (baseUrl: string | URL): string => {
  const url = URL.parse(`${baseUrl}`);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http or https URL');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must have no credentials, query or fragment');
  }
  return `${url}`.replace(/\/+$/, '');
};

/** `fetch` would show a key with a wrong character in its error. */
const checkedKey = (apiKey: string): string => {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey must be the key as it was shown: svc_live_…');
  return key;
};
