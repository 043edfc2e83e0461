import type { AgencyId, DeindexRequestId, Instant, UserId } from '#kernel';

export interface DeindexOrder {
  /** Also the key of the call. */
  readonly reference: DeindexRequestId;
  readonly agencyId: AgencyId;
  readonly userId: UserId;
  readonly leakId: string;
  readonly url: string;
}

export interface DeindexSubmission {
  readonly status: 'queued' | 'submitted' | 'removed' | 'rejected' | 'failed';
  readonly submittedToProvider: boolean;
  readonly removalVerified: boolean;
  readonly errorCode: string | null;
  /** Increases with any change of the record. */
  readonly updatedAt: Instant;
}
