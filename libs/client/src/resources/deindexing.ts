import type { ApiCall } from '../api-call.js';
import type { CallOptions, IdempotentCallOptions } from '../options.js';
import type { Operations } from '../transport/operations.js';
import { path } from '../transport/request.js';
import type { DeindexRequest, RequestDeindexBody } from '../types.js';

export class Deindexing {
  constructor(private readonly api: Operations) {}

  /** Asks the search provider to remove a finding of an API scan from its index. */
  request(caseId: string, body: RequestDeindexBody, options?: IdempotentCallOptions): ApiCall<DeindexRequest> {
    return this.api.callOnce({ method: 'POST', path: path`/v1/cases/${caseId}/deindex-requests`, body }, options);
  }

  get(deindexRequestId: string, options?: CallOptions): ApiCall<DeindexRequest> {
    return this.api.call({ method: 'GET', path: path`/v1/deindex-requests/${deindexRequestId}` }, options);
  }
}
