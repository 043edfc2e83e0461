import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Leases } from '#jobs';
import { type CommandContext, type CreatorId, DomainError, type Effect, performEffect } from '#kernel';
import { assertEnrolled, type CreatorState, type EnrolledCreator } from '../../domain/creator.state.js';
import {
  awaitsInvitation,
  enrollByInvitation,
  hasFailed,
  rebind,
  recordInvitation,
} from '../../domain/enrollment/enrollment.js';
import type { EnrollResult, Invite } from '../../domain/enrollment/enrollment-requests.js';
import { isAdmittedAgain, requireValid } from '../../domain/enrollment/roster-admission.js';
import type { NativeInvitation } from '../../domain/native-invitation.js';
import { CreatorRepository } from '../access/creator.repository.js';
import type { AgencyScope } from '../access/creator-access.js';
import { withCreatorLease } from '../access/creator-lease.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { enrolled, type LoadedCreator } from '../access/loaded-creator.js';
import { ObservedCreators } from '../access/observed-creators.js';
import { RosterRepository } from '../access/roster.repository.js';
import { InvitationOrders } from './invitation-orders.js';
import { RosterAdmissions } from './roster-admissions.js';

/** Enrolls somebody new: reserves in the roster, records the intent, sends the invitation, records the outcome (D28). */
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
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly admissions: RosterAdmissions,
    private readonly creators: ObservedCreators,
    private readonly platform: CreatorPlatform,
    private readonly orders: InvitationOrders,
    private readonly leases: Leases,
  ) {}

  async execute({ scope, request, context }: InviteCreator): Promise<EnrollResult> {
    const { externalId, identity, invitee } = request;
    const loaded = await this.rosters.load(scope.workspaceId);
    requireValid(loaded.state, request);
    const { creatorId, begun, roster, mail } = await this.admissions.admitInvitee(scope, loaded, request, context);
    return withCreatorLease(this.leases, creatorId, async () => {
      const enrollment = { creatorId, ...scope, externalId, identity, invitee };
      const found = begun ?? (await this.repository.load(creatorId));
      const isAgain = isAdmittedAgain(roster.state, found);
      let before = found.state;
      const intended = await this.repository.update(found, context, (current) => {
        // The same request may have begun the stream since, and been answered as the new one.
        before = current;
        return [...rebind(current, scope.epoch), ...enrollByInvitation(current, enrollment, isAgain)];
      });
      // D25, D26, D28: nothing was sent before, or it was refused, so this request is the one that enrolls.
      const isNew = isAgain || before.status === 'unknown' || hasFailed(before);
      if (!awaitsInvitation(intended.state)) {
        return { creator: await this.observed(intended, context), isNew, emailSent: false };
      }
      let reserved = mail;
      const reserve = async () => {
        reserved ??= await this.admissions.reserveMail(scope, request, true);
        return reserved;
      };
      if (hasFailed(intended.state)) {
        const retry = await reserve();
        await retry.during(() => this.admissions.reserveSeatForRetry(scope, roster, intended, context));
      }
      const wasTried = before.status === 'known';
      const { loaded, effect } = await performEffect(this.repository, intended, context, {
        call: (state) => this.send(state, wasTried, reserve),
        outcome: recordInvitation,
      });
      // D88: what was refused has sent no mail.
      if (effect.outcome === 'refused') await reserved?.release();
      return { ...this.answered(loaded, effect), isNew };
    });
  }

  /** Looked up first if it was tried before, so that no second mail goes out (D28). */
  private async send(
    state: CreatorState,
    wasTried: boolean,
    reserve: () => Promise<unknown>,
  ): Promise<Effect<NativeInvitation>> {
    if (!awaitsInvitation(state)) throw new Error('an invitation that was sent is not sent again');
    if (wasTried) {
      try {
        const found = await this.platform.findInvitation(state.agencyId, state.creatorId);
        if (found !== undefined) return { outcome: 'done', value: found };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return { outcome: 'unknown', error };
      }
    }
    await reserve();
    return this.orders.invite(state);
  }

  private answered(loaded: LoadedCreator, effect: Effect<NativeInvitation>) {
    if (effect.outcome === 'refused') {
      if (effect.code === 'invitation_rejected') throw rejected(loaded.id);
      const code = effect.code === 'capacity_reached' ? effect.code : 'provider_invalid_response';
      throw new DomainError(code, { cause: effect.code });
    }
    return { creator: assertEnrolled(loaded.state), emailSent: effect.outcome === 'done' && effect.value.emailSent };
  }

  /** D9: a repeat for a creator that has left since shows nothing of it. */
  private async observed(intended: LoadedCreator, context: CommandContext): Promise<EnrolledCreator> {
    const creator = enrolled(intended);
    return creator.state.userId === null ? creator.state : (await this.creators.current(creator, context)).state;
  }
}

/** D28: the address is the cause. The creator that was enrolled can be removed, and another address then be tried (D25). */
const rejected = (creatorId: CreatorId): DomainError =>
  new DomainError('invalid_request', {
    fields: [{ field: 'email', message: 'cannot be invited: the platform refuses this address; send another one' }],
    creatorId,
  });
