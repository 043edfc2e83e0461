import type { AgencyId, CaseId, CreatorId, Effect, ImpersonationId, Instant, Position, ScanId, UserId } from '#kernel';
import type { CaseRow } from './public-case.js';
import type { ImpersonationRow } from './public-impersonation.js';

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

/** What the read model knows of cases: it may lag, so it only tells which streams need not be looked at. */
export interface KnownCases {
  getMany(caseIds: readonly CaseId[]): Promise<ReadonlyMap<CaseId, CaseRow>>;
  /** A creator's cases in the order of ids, after the given one. */
  ofCreator(creatorId: CreatorId, page: { readonly limit: number; readonly after?: CaseId }): Promise<CaseRow[]>;
}

/** Which scan of which creator a job of the engine belongs to. */
export interface ScanProvenance {
  scansOf(
    jobIds: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly scanId: ScanId; readonly creatorId: CreatorId }>>;
}

/** Until when a creator's leaks have been read, and how far in the log what was found by then has been recorded. */
export interface SyncMark {
  readonly through: Instant;
  readonly position: Position;
}

/** Losing a mark costs one complete read. */
export interface SyncMarks {
  of(creatorId: CreatorId): Promise<SyncMark | undefined>;
  set(creatorId: CreatorId, mark: SyncMark): Promise<void>;
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
  /** Opaque, and to be kept from whoever may only have it sealed. */
  readonly nextCursor: string | null;
}

export interface ActivityPlatform {
  /**
   * A page of at most 200, newest first. Undefined where the creator is no member; rejects with a `provider_*` error
   * when the platform fails.
   */
  listActivity(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly cursor?: string },
  ): Promise<ActivityPage | undefined>;
}

/** An impersonation as the native platform records it; private notes and contacts are not even read. */
export interface NativeImpersonation {
  readonly nativeId: string;
  readonly platform: string;
  readonly url: string;
  readonly username: string | null;
  readonly status: string;
  readonly createdAt: Instant;
  /** Moves forward with any change of the record. */
  readonly updatedAt: Instant;
}

export interface ImpersonationPage {
  readonly impersonations: readonly NativeImpersonation[];
  readonly nextCursor: string | null;
}

export interface ImpersonationPlatform {
  /**
   * A page of at most 200, ordered by id. A walk to a null cursor is complete. Undefined where the creator is no member;
   * rejects with a `provider_*` error when the platform fails.
   */
  listImpersonations(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<ImpersonationPage | undefined>;
  /**
   * Opens a case; the reference is the call's key as well, and a repeat is given what the first one made, as it was
   * then. Refused with `unsupported_impersonation_url` or `not_found`.
   */
  reportImpersonation(
    agencyId: AgencyId,
    userId: UserId,
    report: { readonly reference: string; readonly url: string },
  ): Promise<Effect<NativeImpersonation>>;
}

/** What the read model knows of impersonations: it may lag, so it only tells which streams need not be looked at. */
export interface KnownImpersonations {
  getMany(ids: readonly ImpersonationId[]): Promise<ReadonlyMap<ImpersonationId, ImpersonationRow>>;
  /** A creator's impersonations in the order of ids, after the given one. */
  ofCreator(
    creatorId: CreatorId,
    page: { readonly limit: number; readonly after?: ImpersonationId },
  ): Promise<ImpersonationRow[]>;
}
