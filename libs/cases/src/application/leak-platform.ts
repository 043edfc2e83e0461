import type { AgencyId, Instant, RecordPage, UserId } from '#kernel';
import type { NativeLeak } from '../domain/native-leak.js';

export interface LeakPage extends RecordPage {
  readonly leaks: readonly NativeLeak[];
}

export abstract class LeakPlatform {
  /**
   * A page of at most 200, ordered by leak id. A walk without `updatedSince` to a null cursor is complete. Undefined
   * where the creator is no member; rejects with a `provider_*` error when the platform fails.
   */
  abstract listLeaks(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly after?: string; readonly updatedSince?: Instant },
  ): Promise<LeakPage | undefined>;
}
