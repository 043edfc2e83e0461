import type { AgencyId, Instant, UserId } from '#kernel';

/** A leak as the native platform records it. */
export interface NativeLeak {
  readonly leakId: string;
  readonly url: string;
  /** The native wording, in any language. */
  readonly status: string;
  readonly statusCode: string;
  readonly actionable: boolean | null;
  readonly deadOnArrival: boolean | null;
  readonly createdAt: Instant;
  /** Moves forward with any change of the record. */
  readonly updatedAt: Instant;
  /** The scan job that found it. */
  readonly jobId: string | null;
}

export interface LeakPage {
  readonly leaks: readonly NativeLeak[];
  readonly nextCursor: string | null;
}

export interface LeakPlatform {
  /**
   * A page of at most 200, ordered by leak id. A walk without `updatedSince` to a null cursor is complete. Undefined
   * where the creator is no member; rejects with a `provider_*` error when the platform fails.
   */
  listLeaks(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly after?: string; readonly updatedSince?: Instant },
  ): Promise<LeakPage | undefined>;
}
