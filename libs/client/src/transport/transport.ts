import { type Answer, ApiCall } from '../api-call.js';
import { ApiError, ConnectionError, CreatorProtectionError, TimeoutError } from '../errors.js';
import { List, type Page } from '../list.js';
import {
  type CallOptions,
  type ClientOptions,
  DEFAULT_PAGE_SIZE,
  type IdempotentCallOptions,
  type ListOptions,
} from '../options.js';
import { VERSION } from '../version.js';
import { rootOf, withoutSecret } from './cause.js';
import { limited, limitsOf, type RetryClock, systemClock } from './limits.js';
import { type ApiRequest, inUtf8, urlOf } from './request.js';
import { type Arrived, answerOf, arrivedOf, isOwn, jsonOf, pageOf, textOf } from './response.js';
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
    const { method, path, idempotencyKey } = request;
    const { signal } = options;
    const { timeout, deadline, maxRetries } = limitsOf(this.#options, options);
    const until = this.#clock.now() + deadline;
    const tryOnce = this.#prepared(request, read);
    let attempt = 0;
    try {
      for (;;) {
        signal?.throwIfAborted();
        attempt += 1;
        const limit = Math.min(timeout, until - this.#clock.now());
        const late = new TimeoutError(`No answer came within ${Math.round(limit)} ms.`);
        const outcome = await limited(tryOnce, limit, late, signal);
        if (!(outcome instanceof CreatorProtectionError)) return outcome;
        const wait = waitBeforeRetry(outcome, attempt, persistence, this.#clock.random);
        outcome.attempts = attempt;
        if (wait === undefined || attempt > maxRetries || this.#clock.now() + wait >= until) throw outcome;
        this.#options.onRetry?.({ method, path, attempt, wait, error: outcome });
        await this.#clock.sleep(wait, signal);
      }
    } catch (error) {
      throw attempt === 0 || idempotencyKey === undefined ? error : settledBy(idempotencyKey, error, attempt);
    }
  }

  call<Data>(request: ApiRequest, options: CallOptions | undefined): ApiCall<Data> {
    return new ApiCall(this.send<Data>(request, { options }));
  }

  /** All retries of the request have one effect: the key is created before the first try. */
  callOnce<Data>(request: ApiRequest, options: IdempotentCallOptions | undefined): ApiCall<Data> {
    const idempotencyKey = options?.idempotencyKey ?? crypto.randomUUID();
    return this.call({ ...request, idempotencyKey }, options);
  }

  list<Item>(path: string, { limit = DEFAULT_PAGE_SIZE, after, ...options }: ListOptions = {}): List<Item> {
    return new List((cursor) => this.#page(path, { limit, after: cursor }, { options }), after);
  }

  /** Waits for as long as necessary: only an error that the caller or the service has to correct ends it. */
  follow<Item>(path: string, after: string | undefined, signal: AbortSignal | undefined): Promise<Page<Item>> {
    const options = { maxRetries: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY, signal };
    return this.#page(path, { limit: DEFAULT_PAGE_SIZE, after }, { options, persistence: 'follower' });
  }

  text(request: ApiRequest, options: CallOptions): Promise<Answer<string>> {
    return this.send(request, { options, read: textOf });
  }

  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#clock.sleep(milliseconds, signal);
  }

  async #page<Item>(path: string, query: ApiRequest['query'], sending: Sending<Page<Item>>): Promise<Page<Item>> {
    const { data } = await this.send({ method: 'GET', path, query }, { ...sending, read: pageOf<Item> });
    return data;
  }

  /** The bytes are created once, for all tries. */
  #prepared<Data>(request: ApiRequest, read: (arrived: Arrived) => Data) {
    const { method, body, idempotencyKey } = request;
    const { fetch = globalThis.fetch } = this.#options;
    const url = urlOf(this.#baseUrl, request);
    const bytes = body === undefined ? null : JSON.stringify(body);
    // Created here, so that a wrong idempotency key is an error of the caller rather than of the connection.
    const secret = this.#apiKey;
    const headers = Object.fromEntries(
      new Headers({
        authorization: `Bearer ${secret}`,
        'user-agent': `creator-protection-client/${VERSION}`,
        ...(bytes !== null && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': inUtf8(idempotencyKey) }),
      }),
    );
    return async (signal: AbortSignal): Promise<Answer<Data> | CreatorProtectionError> => {
      try {
        // A redirect is not an answer of the service, and following one may turn a POST into a GET.
        const response = await fetch(url, { method, headers, body: bytes, signal, redirect: 'manual' });
        return answerOf(await arrivedOf(response as Response, secret), read);
      } catch (error) {
        if (error instanceof CreatorProtectionError) return error;
        const cause = withoutSecret(error, secret);
        return new ConnectionError(`No answer came from ${method} ${request.path}: ${rootOf(cause).message}`, {
          cause,
        });
      }
    };
  }
}

/** The error of a call with the key. Unless the service refused its only try, the call may have had an effect. */
const settledBy = (idempotencyKey: string, thrown: unknown, attempts: number): CreatorProtectionError => {
  const ended = () => new ConnectionError('The call was aborted before its answer arrived.', { cause: thrown });
  const error = thrown instanceof CreatorProtectionError ? thrown : ended();
  Object.assign(error, { idempotencyKey, attempts });
  if (attempts === 1 && error instanceof ApiError && isOwn(error.response) && `${error.status}`.startsWith('4'))
    return error;
  const sentence = error.message.replace(/\.?$/, '.');
  const message = `${sentence} It may have had an effect: a repeat with the idempotencyKey ${JSON.stringify(idempotencyKey)} settles it.`;
  // Consoles and loggers show the stack, which begins with the message.
  return Object.assign(error, { message, stack: String(error.stack).replace(error.message, () => message) });
};

const checkedUrl = (baseUrl: string | URL): string => {
  const url = URL.parse(`${baseUrl}`);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http or https URL');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must have no credentials, query or fragment');
  }
  return `${url}`.replace(/\/+$/, '');
};

/** `fetch` would include a key with an invalid character in its error. */
const checkedKey = (apiKey: string): string => {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey must be the key as it was shown: svc_live_…');
  return key;
};
