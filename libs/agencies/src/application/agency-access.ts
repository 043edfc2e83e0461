import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type AgencyId, Clock, DomainError, type Instant } from '#kernel';
import { AgenciesOptions } from '../agencies.options.js';
import {
  type AgencyState,
  type Binding,
  isVerified,
  requireBoundOwner,
  requireVerified,
  type VerifiedAgency,
} from '../domain/agency.js';
import type { NativeAgency } from '../domain/native-agency.js';
import { AgencyRepository } from './agency.repository.js';
import { AgencyDirectory } from './agency-directory.js';

/** About 4 MB. The platform is asked again about an agency that is not among them. */
const MAX_VERIFIED = 10_000;

interface Verification {
  readonly native: NativeAgency;
  readonly askedAt: Instant;
}

export interface AgencyDescription {
  /** Undefined for an agency that the platform does not know; `unavailable` if it does not answer, or wrongly. */
  readonly native: NativeAgency | 'unavailable' | undefined;
  readonly binding: Binding | undefined;
}

/** Whether an agency may act now: verified by the platform and still its bound owner's (D19, D20). */
@Injectable()
export class AgencyAccess {
  private readonly verified = new LRUCache<AgencyId, Verification>({
    max: MAX_VERIFIED,
  });

  constructor(
    private readonly agencies: AgencyRepository,
    private readonly directory: AgencyDirectory,
    private readonly clock: Clock,
    private readonly options: AgenciesOptions,
  ) {}

  /** Rejects with the `agency_*` code that applies first. */
  async verify(agencyId: AgencyId): Promise<VerifiedAgency> {
    const { state } = await this.agencies.load(agencyId);
    const cached = this.cached(agencyId, state);
    if (cached !== undefined) return cached;
    const askedAt = this.clock.now();
    return this.accept(state, await this.ask(agencyId), askedAt);
  }

  /** The same answer of the platform, also where it would be refused. */
  async describe(agencyId: AgencyId): Promise<AgencyDescription> {
    const { state } = await this.agencies.load(agencyId);
    const cached = this.cached(agencyId, state);
    if (cached !== undefined) return cached;
    const askedAt = this.clock.now();
    const binding = state.status === 'bound' ? state : undefined;
    try {
      const native = await this.lookUp(agencyId);
      if (native !== undefined && isVerified(native) && native.ownerUserId === binding?.ownerUserId) {
        return this.accept(state, native, askedAt);
      }
      return { native, binding };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { native: 'unavailable', binding };
    }
  }

  /** A cached answer never denies (D20), because another process may have bound the agency to its new owner. */
  private cached(agencyId: AgencyId, state: AgencyState): VerifiedAgency | undefined {
    const cached = this.verified.get(agencyId);
    const isOwner = state.status === 'bound' && state.ownerUserId === cached?.native.ownerUserId;
    if (cached === undefined || !isOwner || !this.isFresh(cached)) return undefined;
    return { native: cached.native, binding: state };
  }

  private accept(state: AgencyState, native: NativeAgency, askedAt: Instant): VerifiedAgency {
    const binding = requireBoundOwner(state, native);
    if (this.options.verificationCache > 0) this.verified.set(native.id, { native, askedAt });
    return { native, binding };
  }

  /** An answer from before the clock was set back is of unknown age. */
  private isFresh({ askedAt }: Verification): boolean {
    const now = this.clock.now();
    return askedAt <= now && now < askedAt + this.options.verificationCache;
  }

  /** The agency's present record, onboarded and approved, never from the cache. */
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
