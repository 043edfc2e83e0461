import type { AgencyId, Duration, Effect, RecordPage, UserId } from '#kernel';
import type { NativeImpersonation } from '../domain/impersonation.js';
import type { LongListOptions } from '../domain/long-list.js';

export abstract class ImpersonationsOptions implements LongListOptions {
  abstract readonly providerTimeout: Duration;
  abstract readonly walkEvery: Duration;
}

export interface ImpersonationPage extends RecordPage {
  readonly impersonations: readonly NativeImpersonation[];
}

export abstract class ImpersonationPlatform {
  /** At most 200, by id. Undefined if the creator is not a member; rejects with a `provider_*` error. */
  abstract listImpersonations(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<ImpersonationPage | undefined>;
  /** A repeat returns the result of the first call. Refused with `unsupported_impersonation_url` or `not_found`. */
  abstract reportImpersonation(
    agencyId: AgencyId,
    userId: UserId,
    report: { readonly reference: string; readonly url: string },
  ): Promise<Effect<NativeImpersonation>>;
}
