import type { DeindexRequestId, Instant } from '#kernel';
import type { RequestDetails } from './deindex-request.events.js';

export interface DeindexOrder extends Pick<RequestDetails, 'agencyId' | 'userId' | 'leakId' | 'url'> {
  /** Also the key of the call. */
  readonly reference: DeindexRequestId;
}

export interface DeindexSubmission {
  readonly status: 'queued' | 'submitted' | 'removed' | 'rejected' | 'failed';
  readonly submittedToProvider: boolean;
  readonly removalVerified: boolean;
  readonly errorCode: string | null;
  /** Increases with any change of the record. */
  readonly updatedAt: Instant;
}
