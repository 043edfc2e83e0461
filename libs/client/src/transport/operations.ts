import { type Answer, ApiCall } from '../api-call.js';
import { List, type Page } from '../list.js';
import { type CallOptions, DEFAULT_PAGE_SIZE, type IdempotentCallOptions, type ListOptions } from '../options.js';
import type { ApiRequest } from './request.js';
import type { Transport } from './transport.js';

/** What the operations of all resources are made of. */
export class Operations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  call<Data>(request: ApiRequest, options: CallOptions | undefined): ApiCall<Data> {
    return new ApiCall(this.#transport.send<Data>(request, { options }));
  }

  /** One effect for all repeats of the request: the key is made before the first. */
  callOnce<Data>(request: ApiRequest, options: IdempotentCallOptions | undefined): ApiCall<Data> {
    const idempotencyKey = options?.idempotencyKey ?? crypto.randomUUID();
    return this.call({ ...request, idempotencyKey }, options);
  }

  list<Item>(path: string, { limit = DEFAULT_PAGE_SIZE, after, ...options }: ListOptions = {}): List<Item> {
    const read = (cursor: string | undefined) =>
      this.call<Page<Item>>({ method: 'GET', path, query: { limit, after: cursor } }, options);
    return new List(read, after);
  }

  /** Waits for as long as it takes: only an error that the caller has to correct ends it. */
  follow<Data>(request: ApiRequest, signal: AbortSignal | undefined): Promise<Answer<Data>> {
    const endless = { maxRetries: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY };
    const options = { ...endless, ...(signal && { signal }) };
    return this.#transport.send<Data>(request, { options, persistence: 'follower' });
  }

  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#transport.pause(milliseconds, signal);
  }

  text(request: ApiRequest, options: CallOptions): Promise<Answer<string>> {
    return this.#transport.send(request, { options, read: ({ text }) => text });
  }
}
