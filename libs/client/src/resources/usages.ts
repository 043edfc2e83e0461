import type { ApiCall } from '../api-call.js';
import type { CallOptions } from '../options.js';
import type { Operations } from '../transport/operations.js';
import type { Capacity, Usage } from '../types.js';

export interface UsageOptions extends CallOptions {
  /** Such as `2026-11`. */
  readonly month?: string | undefined;
}

export class Usages {
  constructor(private readonly api: Operations) {}

  /** Active time of a month and its estimated price; without a month, of the present one. */
  get({ month, ...options }: UsageOptions = {}): ApiCall<Usage> {
    return this.api.call({ method: 'GET', path: '/v1/usage', query: { month } }, options);
  }

  /** A snapshot of the agency's slots. */
  capacity(options?: CallOptions): ApiCall<Capacity> {
    return this.api.call({ method: 'GET', path: '/v1/capacity' }, options);
  }
}
