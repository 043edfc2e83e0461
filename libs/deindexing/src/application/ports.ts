import type { DeindexRequestId, Duration, Effect } from '#kernel';
import type { DeindexCall, DeindexSubmission } from '../domain/deindex-request.events.js';

export abstract class DeindexingOptions {
  abstract readonly pollEvery: Duration;
  abstract readonly providerTimeout: Duration;
}

/** The one search provider. Lookups resolve to undefined if there is no record, and reject with `provider_*`. */
export abstract class SearchProvider {
  /** False if no provider is configured: then no method may be called. */
  abstract readonly configured: boolean;
  /** Only a 422 is a refusal; any other answer without a record is unknown (D51). */
  abstract submit(order: DeindexCall): Promise<Effect<DeindexSubmission>>;
  abstract find(reference: DeindexRequestId): Promise<DeindexSubmission | undefined>;
}
