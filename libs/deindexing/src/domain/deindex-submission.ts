import type { AgencyId, DeindexRequestId, Instant, UserId } from '#kernel';

/** What the search provider is asked to remove. */
export interface DeindexOrder {
  /** Also the key of the call. */
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
  /** Increases with any change of the record. */
  readonly updatedAt: Instant;
}
