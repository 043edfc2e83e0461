import type { DeindexRequestId, Effect } from '#kernel';
import type { DeindexOrder, DeindexSubmission } from '../domain/deindex-submission.js';

/** The one search provider. Lookups resolve to undefined if there is no record, and reject with `provider_*`. */
export abstract class SearchProvider {
  /** False if no provider is configured: then no method may be called. */
  abstract readonly configured: boolean;
  /** Only a 422 is a refusal; any other answer without a record is unknown (D51). */
  abstract submit(order: DeindexOrder): Promise<Effect<DeindexSubmission>>;
  abstract find(reference: DeindexRequestId): Promise<DeindexSubmission | undefined>;
}
