import type { AgencyId, RefusedRecord, UserId } from '#kernel';
import type { NativeActivity } from '../domain/native-activity.js';

export interface ActivityPage {
  readonly records: readonly NativeActivity[];
  readonly refused: readonly RefusedRecord[];
  /** Opaque. Clients get it only encrypted. */
  readonly nextCursor: string | null;
}

export abstract class ActivityPlatform {
  /**
   * A page of at most 200, newest first. Undefined where the creator is no member; rejects with a `provider_*` error
   * when the platform fails.
   */
  abstract listActivity(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly cursor?: string },
  ): Promise<ActivityPage | undefined>;
}
