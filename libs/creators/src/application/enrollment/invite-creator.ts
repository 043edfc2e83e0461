import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, type CreatorId, DomainError, type Effect, performEffect } from '#kernel';
import { assertEnrolled, type CreatorState, type EnrolledCreator } from '../../domain/creator.state.js';
import {
  awaitsInvitation,
  enrollByInvitation,
  hasFailed,
  type Inviting,
  rebind,
  recordInvitation,
} from '../../domain/enrollment/enrollment.js';
import {
  type EnrollResult,
  type Invite,
  isAdmittedAgain,
  requireValid,
} from '../../domain/enrollment/roster-admission.js';
import { reserveSeatForRetry } from '../../domain/enrollment/roster-seats.js';
import { ErasureHashes } from '../../domain/membership/erasure.js';
import type { NativeInvitation } from '../../domain/native-records.js';
import type { LoadedRoster } from '../access/creator.repository.js';
import { CreatorAccess, withCreatorLease } from '../access/creator-access.js';
import type { CreatorPlatform } from '../access/creator-platform.js';
import { type AgencyScope, CreatorPorts, enrolled, type LoadedCreator } from '../access/creator-ports.js';
import { InvitationMails, type ReservedMail } from './invitation-mails.js';
import { RosterAdmissions } from './roster-admissions.js';

/** Enrolls a new person: reserves in the roster, records the intent, sends the invitation, records the result (D28). */
export class InviteCreator extends Command<EnrollResult> {
  constructor(
    readonly scope: AgencyScope,
    readonly request: Invite,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(InviteCreator)
export class InviteCreatorHandler implements ICommandHandler<InviteCreator> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
    private readonly admissions: RosterAdmissions,
    private readonly hashes: ErasureHashes,
    private readonly mails: InvitationMails,
  ) {}

  async execute({ scope, request, context }: InviteCreator): Promise<EnrollResult> {
    const { repository, rosters, leases } = this.ports;
    const { externalId, identity, invitee } = request;
    const loaded = await rosters.load(scope.workspaceId);
    requireValid(loaded.state, request);
    const mail: { reserved?: ReservedMail } = {};
    const reserveMail = async (callsAgain: boolean): Promise<ReservedMail> => {
      const { workspaceId } = scope;
      const reference = this.hashes.externalId(workspaceId, externalId);
      const counted = { workspaceId, email: invitee.email, reference, isResend: false, callsAgain };
      mail.reserved ??= await this.mails.reserve(counted);
      return mail.reserved;
    };
    const seat = { ...request, via: 'invitation', userId: null } as const;
    const { creatorId, begun, roster } = await this.admissions.admit(scope, loaded, seat, context, async (reserve) =>
      (await reserveMail(false)).during(reserve),
    );
    return withCreatorLease(leases, creatorId, async () => {
      const enrollment = { creatorId, ...scope, externalId, identity, invitee };
      const found = begun ?? (await repository.load(creatorId));
      const isAgain = isAdmittedAgain(roster.state, found);
      let before = found.state;
      const intended = await repository.update(found, context, (current) => {
        // The same request may have begun the stream since, and been answered as the new one.
        before = current;
        return [...rebind(current, scope.epoch), ...enrollByInvitation(current, enrollment, isAgain)];
      });
      // D25, D26, D28: nothing was sent before, or it was refused, so this request is the one that enrolls.
      const isNew = isAgain || before.status === 'unknown' || hasFailed(before);
      if (!awaitsInvitation(intended.state)) {
        return { creator: await this.observed(intended, context), isNew, emailSent: false };
      }
      if (hasFailed(intended.state)) {
        const retried = await reserveMail(true);
        await retried.during(() => this.reserveSeatForRetry(scope, roster, intended, context));
      }
      const wasTried = before.status === 'known';
      const { loaded, effect } = await performEffect(repository, intended, context, {
        call: (state) => this.send(state, wasTried, () => reserveMail(true)),
        outcome: recordInvitation,
      });
      // D88: a refused invitation sent no mail.
      if (effect.outcome === 'refused') await mail.reserved?.release();
      return { ...this.answered(loaded, effect), isNew };
    });
  }

  /** D31: a failed enrollment no longer counts, and needs a seat again before another attempt. */
  private async reserveSeatForRetry(
    { agencyId }: AgencyScope,
    loaded: LoadedRoster,
    { id: creatorId, revision }: LoadedCreator,
    context: CommandContext,
  ): Promise<void> {
    const { rosters, platform, clock } = this.ports;
    const { totalSlots } = await platform.getCapacity(agencyId);
    await rosters.update(loaded, context, (roster) =>
      reserveSeatForRetry(roster, creatorId, revision, totalSlots, clock.now()),
    );
  }

  /** Looked up first if it was tried before, so that no second mail is sent (D28). */
  private async send(
    state: CreatorState,
    wasTried: boolean,
    reserve: () => Promise<unknown>,
  ): Promise<Effect<NativeInvitation>> {
    if (!awaitsInvitation(state)) throw new Error('an invitation that was sent is not sent again');
    if (wasTried) {
      try {
        const found = await this.ports.platform.findInvitation(state.agencyId, state.creatorId);
        if (found !== undefined) return { outcome: 'done', value: found };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return { outcome: 'unknown', error };
      }
    }
    await reserve();
    return callToInvite(this.ports.platform, state);
  }

  private answered(loaded: LoadedCreator, effect: Effect<NativeInvitation>) {
    if (effect.outcome === 'refused') {
      if (effect.code === 'invitation_rejected') throw rejected(loaded.id);
      const code = effect.code === 'capacity_reached' ? effect.code : 'provider_invalid_response';
      throw new DomainError(code, { cause: effect.code });
    }
    return { creator: assertEnrolled(loaded.state), emailSent: effect.outcome === 'done' && effect.value.emailSent };
  }

  /** D9: a repeat for a creator that has left since shows nothing about it. */
  private async observed(intended: LoadedCreator, context: CommandContext): Promise<EnrolledCreator> {
    const creator = enrolled(intended);
    return creator.state.userId === null ? creator.state : (await this.creators.refreshed(creator, context)).state;
  }
}

/** Every repeat has the same reference and body (D28). */
export const callToInvite = (
  platform: CreatorPlatform,
  { agencyId, creatorId, identity, invitee }: Inviting,
): Promise<Effect<NativeInvitation>> => {
  if (invitee === null) throw new Error('an invitation has an invitee');
  return platform.invite(agencyId, { reference: creatorId, ...invitee, displayName: identity.displayName });
};

/** D28: the address is the cause. The creator can be removed, and then another address be tried (D25). */
const rejected = (creatorId: CreatorId): DomainError =>
  new DomainError('invalid_request', {
    fields: [{ field: 'email', message: 'cannot be invited: the platform refuses this address; use another one' }],
    creatorId,
  });
