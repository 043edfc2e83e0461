import type { ApiCall } from '../api-call.js';
import type { CallOptions, IdempotentCallOptions } from '../options.js';
import type { Operations } from '../transport/operations.js';
import { path } from '../transport/request.js';
import type { Scan } from '../types.js';

export class Scans {
  constructor(private readonly api: Operations) {}

  /** Queues a scan of the creator. One may be pending at a time; repeats of the call are one scan. */
  queue(creatorId: string, options?: IdempotentCallOptions): ApiCall<Scan> {
    return this.api.callOnce({ method: 'POST', path: path`/v1/creators/${creatorId}/scans`, body: {} }, options);
  }

  get(scanId: string, options?: CallOptions): ApiCall<Scan> {
    return this.api.call({ method: 'GET', path: path`/v1/scans/${scanId}` }, options);
  }
}
