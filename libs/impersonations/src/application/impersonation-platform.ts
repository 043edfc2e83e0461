import type { AgencyId, Effect, RecordPage, UserId } from '#kernel';
import type { NativeImpersonation } from '../domain/native-impersonation.js';

export interface ImpersonationPage extends RecordPage {
  readonly impersonations: readonly NativeImpersonation[];
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
