import type { AgencyId, DeindexRequestId, Effect, Instant, UserId } from '#kernel';

/** What the search provider is asked to have removed. */
export interface DeindexOrder {
  /** The key of the call as well. */
  readonly reference: DeindexRequestId;
  readonly agencyId: AgencyId;
  readonly userId: UserId;
  readonly leakId: string;
  readonly url: string;
}

/** The provider's record as it stands. */
export interface DeindexSubmission {
  readonly status: 'queued' | 'submitted' | 'removed' | 'rejected' | 'failed';
  readonly submittedToProvider: boolean;
  readonly removalVerified: boolean;
  readonly errorCode: string | null;
  /** Moves forward with any change of the record. */
  readonly updatedAt: Instant;
}

/** The one search provider. Lookups resolve to undefined where there is no record, and reject with `provider_*`. */
export abstract class SearchProvider {
  /** False where no provider is configured: nothing below may be called then. */
  abstract readonly configured: boolean;
  /** Only a 422 is a refusal; whatever else is no record is unknown (D51). */
  abstract submit(order: DeindexOrder): Promise<Effect<DeindexSubmission>>;
  abstract find(reference: DeindexRequestId): Promise<DeindexSubmission | undefined>;
}
