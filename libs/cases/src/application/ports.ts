import type { AgencyId, CaseId, CreatorId, Instant, Position, RefusedRecord, ScanId, UserId } from '#kernel';
import type { CaseRow } from '../published/public-case.js';

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
  readonly refused: readonly RefusedRecord[];
  readonly nextCursor: string | null;
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

/** What the read model knows of cases: it may lag, so it only tells which streams need not be looked at. */
export abstract class KnownCases {
  abstract getMany(caseIds: readonly CaseId[]): Promise<ReadonlyMap<CaseId, CaseRow>>;
  /** A creator's cases in the order of ids, after the given one. */
  abstract ofCreator(
    creatorId: CreatorId,
    page: { readonly limit: number; readonly after?: CaseId },
  ): Promise<CaseRow[]>;
}

/** Which scan of which creator a job of the engine belongs to. */
export abstract class ScanProvenance {
  abstract scansOf(
    jobIds: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly scanId: ScanId; readonly creatorId: CreatorId }>>;
}

/** Until when a creator's leaks have been read, and how far in the log what was found by then has been recorded. */
export interface SyncMark {
  readonly through: Instant;
  readonly position: Position;
}

/** Losing a mark costs one complete read. */
export abstract class SyncMarks {
  abstract of(creatorId: CreatorId): Promise<SyncMark | undefined>;
  abstract set(creatorId: CreatorId, mark: SyncMark): Promise<void>;
}

/** Something that happened about a creator's leaks, as the native platform records it. */
export interface NativeActivity {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Instant;
  /** What `occurredAt` is: when it was recorded, or when the record that shows it was last updated. */
  readonly timestampBasis: string;
  readonly leakId: string | null;
  readonly url: string | null;
  readonly status: string | null;
  readonly statusCode: string | null;
}

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
