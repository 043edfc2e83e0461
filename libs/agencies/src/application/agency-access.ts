import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type AgencyId, ageOf, Clock, DomainError, type Duration, type Instant, MINUTE, SECOND } from '#kernel';
import {
  type AgencyState,
  isVerified,
  type NativeAgency,
  requireBoundOwner,
  requireVerified,
  type VerifiedAgency,
} from '../domain/agency.js';
import { AgencyRepository } from './agency.repository.js';

export abstract class AgencyDirectory {
  /** Undefined for an agency that the platform does not know. Rejects if the answer is missing or invalid. */
  abstract getAgency(agencyId: AgencyId): Promise<NativeAgency | undefined>;
}

/** The configuration of this context. */
export abstract class AgenciesOptions {
  /** How long a positive answer of the platform is reused, in milliseconds; 0 for never (D20). */
  abstract readonly verificationCache: Duration;
}

/** About 4 MB. The platform is asked again about an agency that is not among them. */
const MAX_VERIFIED = 10_000;

/** How long work is postponed: for a denied agency, and for one that could not be verified (D19). */
const RETRY_WHILE_DENIED: Duration = MINUTE;
const RETRY_WHILE_UNVERIFIED: Duration = 5 * SECOND;

interface Verification {
  readonly native: NativeAgency;
  readonly askedAt: Instant;
}

/** Whether an agency may act now: the platform has verified it, and it still has its bound owner (D19, D20). */
@Injectable()
export class AgencyAccess {
  private readonly verified = new LRUCache<AgencyId, Verification>({ max: MAX_VERIFIED });

  constructor(
    private readonly agencies: AgencyRepository,
    private readonly directory: AgencyDirectory,
    private readonly clock: Clock,
    private readonly options: AgenciesOptions,
  ) {}

  /** Rejects with the `agency_*` code that applies first. */
  async verify(agencyId: AgencyId): Promise<VerifiedAgency> {
    const { state } = await this.agencies.load(agencyId);
    const native = requireVerified(await this.find(agencyId, state));
    return { native, binding: requireBoundOwner(state, native) };
  }

  /** For work of an agency that may wait: the verified record, or when to ask again. */
  async verifiedOrDenied(agencyId: AgencyId): Promise<VerifiedAgency | { readonly deniedUntil: Instant }> {
    try {
      return await this.verify(agencyId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { deniedUntil: this.clock.now() + postponement(error) };
    }
  }

  async deniedUntil(agencyId: AgencyId): Promise<Instant | undefined> {
    const agency = await this.verifiedOrDenied(agencyId);
    return 'deniedUntil' in agency ? agency.deniedUntil : undefined;
  }

  /** The platform's record, even of an agency that may not act; undefined if it has none. */
  async find(agencyId: AgencyId, state: AgencyState): Promise<NativeAgency | undefined> {
    const isOwner = (native: NativeAgency) => state.status === 'bound' && state.ownerUserId === native.ownerUserId;
    const cached = this.verified.get(agencyId);
    // A cached answer never denies (D20), because another process may have bound the agency to its new owner.
    if (cached !== undefined && isOwner(cached.native) && this.isFresh(cached)) return cached.native;
    this.verified.delete(agencyId);
    const askedAt = this.clock.now();
    const native = await this.lookUp(agencyId);
    const mayAct = native !== undefined && isVerified(native) && isOwner(native);
    if (mayAct && this.options.verificationCache > 0) this.verified.set(agencyId, { native, askedAt });
    return native;
  }

  private isFresh({ askedAt }: Verification): boolean {
    return ageOf(askedAt, this.clock.now()) < this.options.verificationCache;
  }

  /** The agency's current record, onboarded and approved, never from the cache. */
  async ask(agencyId: AgencyId): Promise<NativeAgency> {
    this.verified.delete(agencyId);
    return requireVerified(await this.lookUp(agencyId));
  }

  private async lookUp(agencyId: AgencyId): Promise<NativeAgency | undefined> {
    try {
      return await this.directory.getAgency(agencyId);
    } catch (error) {
      throw new DomainError('agency_verification_unavailable', { cause: error });
    }
  }
}

export const postponement = ({ code }: DomainError): Duration =>
  code === 'agency_verification_unavailable' ? RETRY_WHILE_UNVERIFIED : RETRY_WHILE_DENIED;
