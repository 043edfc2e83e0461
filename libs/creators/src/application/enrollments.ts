import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import { type CommandContext, type CreatorId, DomainError, type Effect, NO_EVENTS, newId, type UserId } from '#kernel';
import { creatorDecider } from '../domain/creator.js';
import { type CreatorState, type EnrolledCreator, type Identity, isErased } from '../domain/creator.state.js';
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
import type { EnrollResult, Invite, LinkEnrollment } from '../domain/enrollment/enrollment-requests.js';
import type { RosterAdmission } from '../domain/enrollment/roster.events.js';
import { admit, enrolledBefore } from '../domain/enrollment/roster-admission.js';
import { refuseErased } from '../domain/enrollment/roster-erasure.js';
import { release, reserveSeatForRetry } from '../domain/enrollment/roster-seats.js';
import { keptIdentity, newProfiles, requireFit } from '../domain/identity/identity.js';
import { ErasureHashes } from '../domain/membership/erasure-hashes.js';
import { CreatorRepository, type FoundCreator, isFound, type LoadedCreator } from './creator.repository.js';
import { type AgencyScope, CreatorAccess } from './creator-access.js';
import { withCreatorLease } from './creator-lease.js';
import { Invitees } from './invitees.js';
import { CreatorPlatform, type IdentityChange, type NativeCreator, type NativeInvitation } from './ports.js';
import { type LoadedRoster, RosterRepository } from './roster.repository.js';

interface Admitted {
  readonly creatorId: CreatorId;
  /** Undefined where the creator has a stream, or may have one. */
  readonly begun: LoadedCreator | undefined;
  readonly roster: LoadedRoster;
  readonly isNew: boolean;
}

/** Enrolls creators: reserves in the roster, records the intent, acts on the platform, records the outcome. */
@Injectable()
export class Enrollments {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly creators: CreatorAccess,
    private readonly invitees: Invitees,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
    private readonly hashes: ErasureHashes,
  ) {}

  async link(scope: AgencyScope, request: LinkEnrollment, context: CommandContext): Promise<EnrollResult> {
    const { userId, externalId, identity } = request;
    const roster = await this.rosters.load(scope.workspaceId);
    // Loaded before the platform is asked: what is recorded after that may be newer than its answer.
    const earlier = await this.enrolledEarlier(roster, request);
    const native = await this.platform.getCreator(scope.agencyId, userId);
    if (native === undefined || native.isStaff) throw new DomainError('not_found');
    refuseErased(roster.state, { userId, hashes: this.hashes.of(scope.workspaceId, request) });
    // D83: a user whose data was erased can't be enrolled, under a new external id either, and nothing is recorded of it.
    const isUsers = earlier !== undefined && roster.state.byUser.get(userId) === earlier.id;
    if (isUsers && isErased(earlier.state)) throw new DomainError('not_found');
    const { creatorId, begun, isNew } = await this.admit(scope, roster, 'link', { ...request, native }, context);
    const askedAt = creatorId === earlier?.id ? earlier.position : 0;
    return this.exclusively(creatorId, async () => {
      const link = { creatorId, ...scope, userId, externalId, identity };
      // Without `begun` the stream is read under the lease, because the last holder may have written the identity.
      const linked = await this.repository.update(begun ?? creatorId, context, (current, _now, position) => [
        ...rebind(current, scope.epoch),
        ...enrollByLink(current, link, native, position > askedAt),
      ]);
      const { state } = await this.writeIdentity(await this.creators.withSlot(linked, context), context);
      return { creator: assertEnrolled(state), isNew, emailSent: false };
    });
  }

  async invite(scope: AgencyScope, request: Invite, context: CommandContext): Promise<EnrollResult> {
    const { externalId, identity, invitee } = request;
    const roster = await this.rosters.load(scope.workspaceId);
    const admitted = await this.admit(scope, roster, 'invitation', request, context);
    const { creatorId, begun } = admitted;
    return this.exclusively(creatorId, async () => {
      const enrollment = { creatorId, ...scope, externalId, identity, invitee };
      let before: CreatorState = creatorDecider.initial;
      const intended = await this.repository.update(begun ?? creatorId, context, (current) => {
        before = current;
        return [...rebind(current, scope.epoch), ...enrollByInvitation(current, enrollment)];
      });
      // D26, D28: where nothing was kept but the reservation, this request is the one that enrolls.
      const isNew = before.status === 'unknown' || before.enrollment.status === 'not_admitted';
      if (!awaitsInvitation(intended.state)) {
        return { creator: await this.seenNow(intended, context), isNew, emailSent: false };
      }
      if (hasFailed(intended.state)) await this.takePlaceAgain(scope, admitted.roster, intended, context);
      const effect = await this.sendInvitation(assertEnrolled(intended.state), before.status === 'known');
      const { state } = await this.repository.update(intended, context, (current) => recordInvitation(current, effect));
      if (effect.outcome === 'refused') {
        throw new DomainError(effect.code === 'capacity_reached' ? effect.code : 'provider_invalid_response', {
          cause: effect.code,
        });
      }
      return { creator: assertEnrolled(state), isNew, emailSent: effect.outcome === 'done' && effect.value.emailSent };
    });
  }

  /** Begins the stream of a creator that was admitted, where a crash came between the two: the worker's part. */
  async begin(
    creator: LoadedCreator,
    admission: RosterAdmission,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<LoadedCreator> {
    const { creatorId, via, userId, personal } = admission;
    const { externalId, submitted } = personal;
    const enrolling = { creatorId, ...scope, externalId };
    if (via === 'invitation') {
      if (submitted?.invitee == null) throw new Error('an invitation has an invitee');
      const enrollment = { ...enrolling, identity: submitted.identity, invitee: submitted.invitee };
      return this.repository.update(creator, context, (state) => enrollByInvitation(state, enrollment));
    }
    const native = userId === null ? undefined : await this.platform.getCreator(scope.agencyId, userId);
    if (native === undefined) return creator;
    return this.repository.update(creator, context, (state) =>
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
    { creatorId }: RosterAdmission,
    { workspaceId }: AgencyScope,
    context: CommandContext,
  ): Promise<LoadedCreator> {
    return this.exclusively(creatorId, async () => {
      const creator = await this.repository.load(creatorId);
      if (!isFound(creator)) {
        await this.rosters.update(workspaceId, context, (roster) =>
          release(roster, creatorId, 'transferred', NO_EVENTS),
        );
      }
      return creator;
    });
  }

  /** Finishes what a crash or an unknown outcome left: the worker's part (D28, D30). */
  async settle(creator: LoadedCreator, context: CommandContext): Promise<LoadedCreator> {
    if (!isUnsettled(creator.state)) return creator;
    return this.exclusively(creator.id, async () => {
      // The previous holder of the lease may have settled it.
      const current = await this.repository.load(creator.id);
      if (!isFound(current) || !isUnsettled(current.state)) return current;
      if (hasIdentityToWrite(current.state)) return this.writeIdentity(current, context);
      if (hasFailed(current.state)) return this.settleRetry(current, context);
      const effect = await this.sendInvitation(current.state, true);
      return this.repository.update(current, context, (state) => recordInvitation(state, effect));
    });
  }

  /** A crash came after a place was taken for another try: what came of that is asked, and never tried by the worker. */
  private async settleRetry(creator: FoundCreator, context: CommandContext): Promise<LoadedCreator> {
    const { creatorId, agencyId, enrollment } = creator.state;
    const found = await this.platform.findInvitation(agencyId, creatorId);
    const code = enrollment.status === 'not_admitted' ? 'capacity_reached' : 'not_sent';
    const effect: Effect<NativeInvitation> =
      found === undefined ? { outcome: 'refused', code } : { outcome: 'done', value: found };
    return this.repository.update(creator, context, (current) => recordInvitation(current, effect));
  }

  /** D9: a repeat for a creator that has left since tells nothing of it. */
  private async seenNow(creator: LoadedCreator, context: CommandContext): Promise<EnrolledCreator> {
    if (!isFound(creator)) throw new Error('an enrolled creator is known');
    return creator.state.userId === null ? creator.state : (await this.creators.observe(creator, context)).state;
  }

  private exclusively<T>(creatorId: CreatorId, task: () => Promise<T>): Promise<T> {
    return withCreatorLease(this.leases, creatorId, task);
  }

  /** The creator that has the user, or else the external id. */
  private async enrolledEarlier(
    { state: roster }: LoadedRoster,
    { userId, externalId }: LinkEnrollment,
  ): Promise<LoadedCreator | undefined> {
    const creatorId = roster.byUser.get(userId) ?? roster.byExternalId.get(externalId);
    return creatorId === undefined ? undefined : this.repository.load(creatorId);
  }

  /** The creator that holds the request's external id: a new one, if there is room, or the one of an earlier try. */
  private async admit(
    { agencyId, workspaceId, epoch }: AgencyScope,
    loaded: LoadedRoster,
    via: 'link' | 'invitation',
    request: (LinkEnrollment & { readonly native: NativeCreator }) | Invite,
    context: CommandContext,
  ): Promise<Admitted> {
    const { externalId, fingerprint, identity } = request;
    const userId = 'userId' in request ? request.userId : null;
    const roster = 'native' in request ? await this.invitees.recognise(request.native, loaded, context) : loaded;
    const hashes = this.hashes.of(workspaceId, request);
    const before = enrolledBefore(roster.state, { externalId, fingerprint, userId, hashes });
    if (before !== undefined) return { creatorId: before, begun: undefined, roster, isNew: false };
    if ('native' in request) requireFit(keptIdentity(request.native.identity), identity);
    // An invited user without an API record belongs to the dashboard until it is onboarded.
    if ('native' in request && !request.native.onboardingComplete) throw new DomainError('creator_invitation_pending');
    const { totalSlots } = await this.platform.getCapacity(agencyId);
    const submitted = { identity, invitee: 'invitee' in request ? request.invitee : null };
    const personal = { externalId, fingerprint, submitted };
    const admission = { creatorId: newId('creator'), agencyId, epoch, via, userId, personal };
    const admitted = await this.rosters.update(roster, context, (current) =>
      admit(current, admission, totalSlots, hashes),
    );
    const creatorId = admitted.state.byExternalId.get(externalId);
    if (creatorId === undefined) throw new Error('an admitted creator holds its external id');
    // Of an id that was made just now there is no event.
    const begun = creatorId === admission.creatorId ? this.repository.assumeNew(creatorId) : undefined;
    return { creatorId, begun, roster: admitted, isNew: admitted.events.length > 0 };
  }

  /** D31: what failed was counted no more, and needs a place again before it is tried again. */
  private async takePlaceAgain(
    { agencyId }: AgencyScope,
    loaded: LoadedRoster,
    { id: creatorId, revision }: LoadedCreator,
    context: CommandContext,
  ): Promise<void> {
    const { totalSlots } = await this.platform.getCapacity(agencyId);
    await this.rosters.update(loaded, context, (roster) =>
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
  private async writeIdentity(creator: LoadedCreator, context: CommandContext): Promise<LoadedCreator> {
    const { state } = creator;
    if (!hasIdentityToWrite(state)) return creator;
    const { agencyId, userId, identityToWrite } = state;
    const effect = await this.platform.updateIdentity(agencyId, userId, identityChangeOf(state, identityToWrite));
    let isOvertaken = false;
    const after = await this.repository.update(creator, context, (current, _now, position) => {
      isOvertaken = position > creator.position;
      return recordIdentityWrite(current, effect, isOvertaken);
    });
    if (effect.outcome === 'done') {
      return isOvertaken && isFound(after) ? this.creators.refresh(after, context, null) : after;
    }
    if (effect.outcome === 'unknown') throw unwritten(effect.error);
    if (effect.code !== 'not_found') throw new DomainError('provider_invalid_response', { cause: effect.code });
    await this.creators.reportMissing(after, context);
    throw new DomainError('not_found');
  }
}

type WithIdentityToWrite = EnrolledCreator & { readonly identityToWrite: Identity; readonly userId: UserId };

const hasIdentityToWrite = (state: CreatorState): state is WithIdentityToWrite =>
  state.status === 'known' && state.identityToWrite !== null && state.userId !== null;

/** Whether something is left to be written, sent, or asked for. */
const isUnsettled = (state: CreatorState): boolean => {
  if (state.status === 'unknown') return false;
  const isOpen = ['enrolling', 'uncertain'].includes(state.enrollment.status);
  return hasIdentityToWrite(state) || hasFailed(state) || (isOpen && awaitsInvitation(state));
};

/** D75: profiles that the native record already has are not sent. */
const identityChangeOf = ({ standing, identity }: EnrolledCreator, submitted: Identity): IdentityChange =>
  standing === null ? submitted : { ...submitted, profiles: newProfiles(identity, submitted.profiles) };

/** D28: 504 or 502; a 503 would say that nothing can have been written. */
const unwritten = (error: DomainError): DomainError =>
  error.code === 'provider_unavailable' ? new DomainError('provider_timeout', { cause: error }) : error;

const assertEnrolled = (state: CreatorState): EnrolledCreator => {
  if (state.status === 'unknown') throw new Error('an enrolled creator is known');
  return state;
};
