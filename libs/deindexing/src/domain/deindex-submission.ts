import type { AgencyId, DeindexRequestId, Instant, UserId } from '#kernel';

/** What the search provider is asked to have removed. */
export interface DeindexOrder {
  /** The key of the call as well. */
  readonly reference: DeindexRequestId;
  readonly agencyId: AgencyId;
  readonly userId: UserId;
  readonly leakId: string;
  readonly url: string;
}

/** The provider's record at the time of the answer. */
export interface DeindexSubmission {
  readonly status: 'queued' | 'submitted' | 'removed' | 'rejected' | 'failed';
  readonly submittedToProvider: boolean;
  readonly removalVerified: boolean;
  readonly errorCode: string | null;
  /** Moves forward with any change of the record. */
  readonly updatedAt: Instant;
}
