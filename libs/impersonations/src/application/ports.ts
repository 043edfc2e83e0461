import type { AgencyId, CreatorId, Effect, ImpersonationId, Instant, RefusedRecord, UserId } from '#kernel';
import type { ImpersonationRow } from '../published/public-impersonation.js';

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
  readonly refused: readonly RefusedRecord[];
  readonly nextCursor: string | null;
}

export abstract class ImpersonationPlatform {
  /**
   * A page of at most 200, ordered by id. A walk to a null cursor is complete. Undefined where the creator is no member;
   * rejects with a `provider_*` error when the platform fails.
   */
  abstract listImpersonations(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<ImpersonationPage | undefined>;
  /**
   * Opens a case; the reference is the call's key as well, and a repeat is given what the first one made, as it was
   * then. Refused with `unsupported_impersonation_url` or `not_found`.
   */
  abstract reportImpersonation(
    agencyId: AgencyId,
    userId: UserId,
    report: { readonly reference: string; readonly url: string },
  ): Promise<Effect<NativeImpersonation>>;
}

/** What the read model knows of impersonations: it may lag, so it only tells which streams need not be looked at. */
export abstract class KnownImpersonations {
  abstract getMany(ids: readonly ImpersonationId[]): Promise<ReadonlyMap<ImpersonationId, ImpersonationRow>>;
  /** A creator's impersonations in the order of ids, after the given one. */
  abstract ofCreator(
    creatorId: CreatorId,
    page: { readonly limit: number; readonly after?: ImpersonationId },
  ): Promise<ImpersonationRow[]>;
}
