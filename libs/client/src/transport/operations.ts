import { type Answer, ApiCall } from '../api-call.js';
import { List, type Page } from '../list.js';
import { type CallOptions, DEFAULT_PAGE_SIZE, type IdempotentCallOptions, type ListOptions } from '../options.js';
import type { ApiRequest } from './request.js';
import { pageOf, textOf } from './response.js';
import type { Sending, Transport } from './transport.js';

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
    return new List((cursor) => this.#page(path, { limit, after: cursor }, { options }), after);
  }

  /** Waits for as long as it takes: only an error that the caller or the service has to correct ends it. */
  follow<Item>(path: string, after: string | undefined, signal: AbortSignal | undefined): Promise<Page<Item>> {
    const options = { maxRetries: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY, signal };
    return this.#page(path, { limit: DEFAULT_PAGE_SIZE, after }, { options, persistence: 'follower' });
  }

  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#transport.pause(milliseconds, signal);
  }

  text(request: ApiRequest, options: CallOptions): Promise<Answer<string>> {
    return this.#transport.send(request, { options, read: textOf });
  }

  async #page<Item>(path: string, query: ApiRequest['query'], sending: Sending<Page<Item>>): Promise<Page<Item>> {
    const { data } = await this.#transport.send({ method: 'GET', path, query }, { ...sending, read: pageOf<Item> });
    return data;
  }
}
