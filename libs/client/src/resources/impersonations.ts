import type { ApiCall } from '../api-call.js';
import type { List } from '../list.js';
import type { IdempotentCallOptions, ListOptions } from '../options.js';
import type { Operations } from '../transport/operations.js';
import { path } from '../transport/request.js';
import type { Impersonation, ReportImpersonationBody } from '../types.js';

export class Impersonations {
  constructor(private readonly api: Operations) {}

  /** Accounts that pretend to be the creator. */
  list(creatorId: string, options?: ListOptions): List<Impersonation> {
    return this.api.list(path`/v1/creators/${creatorId}/impersonations`, options);
  }

  report(creatorId: string, body: ReportImpersonationBody, options?: IdempotentCallOptions): ApiCall<Impersonation> {
    return this.api.callOnce({ method: 'POST', path: path`/v1/creators/${creatorId}/impersonations`, body }, options);
  }
}
