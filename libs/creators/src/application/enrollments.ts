import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import {
  type CommandContext,
  CommandRunner,
  type CreatorId,
  DomainError,
  type Effect,
  NO_EVENTS,
  newId,
} from '#kernel';
import { creatorDecider } from '../domain/creator.js';
import type { CreatorState, EnrolledCreator, Identity } from '../domain/creator.state.js';
import {
  awaitsInvitation,
  enrollByInvitation,
  enrollByLink,
  hasFailed,
  importCreator,
  rebind,
  recordIdentityWrite,
  recordInvitation,
} from '../domain/enrollment/enrollment.js';
import type { Enrolled, Invite, LinkEnrollment } from '../domain/enrollment/enrollment-requests.js';
import type { Admission } from '../domain/enrollment/roster.events.js';
import {
  admit,
  enrolledBefore,
  refuseErased,
  release,
  reserveSeatForRetry,
  rosterDecider,
} from '../domain/enrollment/roster.js';
import { keptIdentity, newProfiles, requireFit } from '../domain/identity/identity.js';
import { ErasureHashes } from '../domain/membership/erasure-hashes.js';
import { withCreatorLease } from './creator-lease.js';
import { type AgencyScope, Creators } from './creators.js';
import { CreatorPlatform, type IdentityChange, type NativeCreator, type NativeInvitation } from './ports.js';

/** Enrolls creators: reserves in the roster, records the intent, acts on the platform, records the outcome. */
@Injectable()
export class Enrollments {
  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
    private readonly hashes: ErasureHashes,
  ) {}

  async link(scope: AgencyScope, request: LinkEnrollment, context: CommandContext): Promise<Enrolled> {
    const { userId } = request;
    const began = await this.runner.head();
    const native = await this.platform.getCreator(scope.agencyId, userId);
    if (native === undefined || native.isStaff) throw new DomainError('not_found');
    const { state: roster } = await this.runner.load(rosterDecider, scope.workspaceId);
    refuseErased(roster, { userId, hashes: this.hashes.of(scope.workspaceId, request) });
    await this.creators.invitees.requireNotErased(userId, scope);
    const { creatorId, isNew } = await this.admit(scope, 'link', { ...request, native }, context);
    return this.exclusively(creatorId, async () => {
      const link = { creatorId, ...scope, userId, externalId: request.externalId, identity: request.identity };
      const state = await this.creators.decide(creatorId, context, (current, _now, position) => [
        ...rebind(current, scope.epoch),
        ...enrollByLink(current, link, native, position > began),
      ]);
      const creator = known(await this.writeIdentity(await this.creators.withSlot(state, context), context));
      return { creator, isNew, emailSent: false };
    });
  }

  async invite(scope: AgencyScope, request: Invite, context: CommandContext): Promise<Enrolled> {
    const { externalId, identity, invitee } = request;
    const { creatorId } = await this.admit(scope, 'invitation', request, context);
    return this.exclusively(creatorId, async () => {
      const before = await this.creators.load(creatorId);
      // D26, D28: where nothing was kept but the reservation, this request is the one that enrolls.
      const isNew = before.status === 'unknown' || before.enrollment.status === 'not_admitted';
      const enrollment = { creatorId, ...scope, externalId, identity, invitee };
      const intended = await this.creators.decide(creatorId, context, (current) => [
        ...rebind(current, scope.epoch),
        ...enrollByInvitation(current, enrollment),
      ]);
      if (!awaitsInvitation(intended)) {
        return { creator: await this.seenNow(known(intended), context), isNew, emailSent: false };
      }
      if (hasFailed(intended)) await this.takePlaceAgain(scope, creatorId, context);
      const effect = await this.sendInvitation(known(intended), before.status === 'known');
      const state = await this.creators.decide(creatorId, context, (current) => recordInvitation(current, effect));
      if (effect.outcome === 'refused') {
        throw new DomainError(effect.code === 'capacity_reached' ? effect.code : 'provider_invalid_response', {
          cause: effect.code,
        });
      }
      return { creator: known(state), isNew, emailSent: effect.outcome === 'done' && effect.value.emailSent };
    });
  }

  /** Begins the stream of a creator that was admitted, where a crash came between the two: the worker's part. */
  async begin(admission: Admission, scope: AgencyScope, context: CommandContext): Promise<CreatorState> {
    const { creatorId, via, userId, personal } = admission;
    const { externalId, submitted } = personal;
    const enrolling = { creatorId, ...scope, externalId };
    if (via === 'invitation') {
      if (submitted?.invitee == null) throw new Error('an invitation has an invitee');
      const enrollment = { ...enrolling, identity: submitted.identity, invitee: submitted.invitee };
      return this.creators.decide(creatorId, context, (state) => enrollByInvitation(state, enrollment));
    }
    const native = userId === null ? undefined : await this.platform.getCreator(scope.agencyId, userId);
    if (native === undefined) return this.creators.load(creatorId);
    return this.creators.decide(creatorId, context, (state) =>
      submitted === null
        ? importCreator(state, enrolling, native)
        : enrollByLink(state, { ...enrolling, userId: native.userId, identity: submitted.identity }, native),
    );
  }

  /**
   * Gives back the place of an admission whose user left before the creator's stream began (D31): the worker's part. Under
   * the lease, so that a link that begins the stream comes before this, or after it and is counted again.
   */
  async releaseUnbegun(
    { creatorId }: Admission,
    { workspaceId }: AgencyScope,
    context: CommandContext,
  ): Promise<CreatorState> {
    return this.exclusively(creatorId, async () => {
      const state = await this.creators.load(creatorId);
      if (state.status === 'unknown') {
        await this.runner.run(rosterDecider, workspaceId, context, (roster) =>
          release(roster, creatorId, 'transferred', NO_EVENTS),
        );
      }
      return state;
    });
  }

  /** Finishes what a crash or an unknown outcome left: the worker's part (D28, D30). */
  settle(creatorId: CreatorId, context: CommandContext): Promise<CreatorState> {
    return this.exclusively(creatorId, async () => {
      const state = await this.creators.load(creatorId);
      if (state.status === 'unknown') return state;
      if (state.identityToWrite !== null && state.userId !== null) return this.writeIdentity(state, context);
      if (hasFailed(state)) return this.settleRetry(state, context);
      const isOpen = ['enrolling', 'uncertain'].includes(state.enrollment.status);
      if (!isOpen || !awaitsInvitation(state)) return state;
      const effect = await this.sendInvitation(state, true);
      return this.creators.decide(creatorId, context, (current) => recordInvitation(current, effect));
    });
  }

  /** A crash came after a place was taken for another try: what came of that is asked, and never tried by the worker. */
  private async settleRetry(state: EnrolledCreator, context: CommandContext): Promise<CreatorState> {
    const { creatorId, agencyId, enrollment } = state;
    const found = await this.platform.findInvitation(agencyId, creatorId);
    const code = enrollment.status === 'not_admitted' ? 'capacity_reached' : 'not_sent';
    const effect: Effect<NativeInvitation> =
      found === undefined ? { outcome: 'refused', code } : { outcome: 'done', value: found };
    return this.creators.decide(creatorId, context, (current) => recordInvitation(current, effect));
  }

  /** D9: a repeat for a creator that has left since tells nothing of it. */
  private seenNow(creator: EnrolledCreator, context: CommandContext): Promise<EnrolledCreator> {
    return creator.userId === null ? Promise.resolve(creator) : this.creators.refreshed(creator, context);
  }

  private exclusively<T>(creatorId: CreatorId, task: () => Promise<T>): Promise<T> {
    return withCreatorLease(this.leases, creatorId, task);
  }

  /** The creator that holds the request's external id: a new one, if there is room, or the one of an earlier try. */
  private async admit(
    { agencyId, workspaceId, epoch }: AgencyScope,
    via: 'link' | 'invitation',
    request: (LinkEnrollment & { readonly native: NativeCreator }) | Invite,
    context: CommandContext,
  ): Promise<{ creatorId: CreatorId; isNew: boolean }> {
    const { externalId, fingerprint, identity } = request;
    const userId = 'userId' in request ? request.userId : null;
    if ('native' in request) await this.creators.invitees.recognise(request.native, workspaceId, context);
    const { state } = await this.runner.load(rosterDecider, workspaceId);
    const hashes = this.hashes.of(workspaceId, request);
    const before = enrolledBefore(state, { externalId, fingerprint, userId, hashes });
    if (before !== undefined) return { creatorId: before, isNew: false };
    if ('native' in request) requireFit(keptIdentity(request.native.identity), identity);
    // An invited user without an API record belongs to the dashboard until it is onboarded.
    if ('native' in request && !request.native.onboardingComplete) throw new DomainError('creator_invitation_pending');
    const { totalSlots } = await this.platform.getCapacity(agencyId);
    const submitted = { identity, invitee: 'invitee' in request ? request.invitee : null };
    const personal = { externalId, fingerprint, submitted };
    const admission = { creatorId: newId('creator'), agencyId, epoch, via, userId, personal };
    const admitted = await this.runner.run(rosterDecider, workspaceId, context, (roster) =>
      admit(roster, admission, totalSlots, hashes),
    );
    const creatorId = admitted.state.byExternalId.get(externalId);
    if (creatorId === undefined) throw new Error('an admitted creator holds its external id');
    return { creatorId, isNew: admitted.events.length > 0 };
  }

  /** D31: what failed was counted no more, and needs a place again before it is tried again. */
  private async takePlaceAgain(
    { agencyId, workspaceId }: AgencyScope,
    creatorId: CreatorId,
    context: CommandContext,
  ): Promise<void> {
    const { totalSlots } = await this.platform.getCapacity(agencyId);
    const { revision } = await this.runner.load(creatorDecider, creatorId);
    await this.runner.run(rosterDecider, workspaceId, context, (roster) =>
      reserveSeatForRetry(roster, creatorId, revision, totalSlots),
    );
  }

  private async sendInvitation(creator: EnrolledCreator, wasTried: boolean): Promise<Effect<NativeInvitation>> {
    const { agencyId, creatorId, identity, invitee } = creator;
    if (invitee === null) throw new Error('an invitation has an invitee');
    if (wasTried) {
      try {
        const found = await this.platform.findInvitation(agencyId, creatorId);
        if (found !== undefined) return { outcome: 'done', value: found };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return { outcome: 'unknown', error };
      }
    }
    return this.platform.invite(agencyId, { reference: creatorId, ...invitee, displayName: identity.displayName });
  }

  /** Writes what was submitted, once; the name is set, aliases and profiles are merged. */
  private async writeIdentity(state: CreatorState, context: CommandContext): Promise<CreatorState> {
    if (state.status === 'unknown' || state.identityToWrite === null || state.userId === null) return state;
    const { creatorId, agencyId, userId, identityToWrite } = state;
    const began = await this.creators.place(creatorId);
    const effect = await this.platform.updateIdentity(agencyId, userId, identityChangeOf(state, identityToWrite));
    let isOvertaken = false;
    const after = await this.creators.decide(creatorId, context, (current, _now, position) => {
      isOvertaken = position > began;
      return recordIdentityWrite(current, effect, isOvertaken);
    });
    if (effect.outcome === 'done') return isOvertaken ? this.creators.refresh(known(after), context, null) : after;
    if (effect.outcome === 'unknown') throw unwritten(effect.error);
    if (effect.code !== 'not_found') throw new DomainError('provider_invalid_response', { cause: effect.code });
    await this.creators.recordMissing(creatorId, context);
    throw new DomainError('not_found');
  }
}

/** D75: profiles that the native record already has are not sent. */
const identityChangeOf = ({ standing, identity }: EnrolledCreator, submitted: Identity): IdentityChange =>
  standing === null ? submitted : { ...submitted, profiles: newProfiles(identity, submitted.profiles) };

/** D28: 504 or 502; a 503 would say that nothing can have been written. */
const unwritten = (error: DomainError): DomainError =>
  error.code === 'provider_unavailable' ? new DomainError('provider_timeout', { cause: error }) : error;

const known = (state: CreatorState): EnrolledCreator => {
  if (state.status === 'unknown') throw new Error('an enrolled creator is known');
  return state;
};
