import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, type CreatorId, DomainError, performEffect, requireVisibleKey } from '#kernel';
import { type CreatorState, type EnrolledCreator, requireWritable } from '../../domain/creator.state.js';
import { observeInvitation } from '../../domain/enrollment/enrollment.js';
import {
  invitationResendIdOf,
  recordResend,
  requestResend,
  requireSameResend,
} from '../../domain/enrollment/invitation-resend.js';
import { releaseResend, reserveResend } from '../../domain/enrollment/mail-allowance.js';
import { InvitationResendRepository, type LoadedResend } from '../access/creator.repository.js';
import { CreatorAccess } from '../access/creator-access.js';
import { type AgencyScope, CreatorPorts, enrolled, type FoundCreator, visible } from '../access/creator-ports.js';
import { InvitationMails, type ReservedMail } from './invitation-mails.js';

export interface ResendInvitationResult {
  readonly creator: EnrolledCreator;
  readonly emailSent: boolean;
}

/** One mail per key (D39). Unknown is `provider_timeout`, which the same call settles; a refusal frees the key. */
export class ResendInvitation extends Command<ResendInvitationResult> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly idempotencyKey: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ResendInvitation)
export class ResendInvitationHandler implements ICommandHandler<ResendInvitation> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
    private readonly resends: InvitationResendRepository,
    private readonly mails: InvitationMails,
  ) {}

  execute({ creatorId, scope, idempotencyKey, context }: ResendInvitation): Promise<ResendInvitationResult> {
    const resendId = invitationResendIdOf(scope.agencyId, idempotencyKey);
    return this.creators.exclusively(creatorId, scope, async () => {
      const [found, resend] = await Promise.all([
        this.creators.forWrite(creatorId, scope, context),
        this.resends.load(resendId),
      ]);
      const { state: earlier } = resend;
      requireSameResend(earlier, creatorId);
      if (earlier.status === 'none') requireVisibleKey(idempotencyKey);
      if (earlier.status === 'done') return { creator: found.state, emailSent: earlier.emailSent };
      requireWritable(found.state, scope.epoch);
      const isRepeat = earlier.status === 'open';
      const isKnown = isRepeat || invitationToResend(found.state) !== undefined;
      const creator = isKnown ? found : visible(await this.creators.refresh(found, context));
      const invitationId = isRepeat ? earlier.invitationId : (invitationToResend(creator.state) ?? refuseFor(creator));
      const mail = await this.reserveMail(creator, resendId);
      const requested = await mail.during(() => this.request(resend, creator, invitationId, context));
      return this.send(requested, { mail, invitationId, isRepeat }, context);
    });
  }

  /** D88: creators with the same address share its allowance. */
  private reserveMail({ state }: FoundCreator, resendId: string): Promise<ReservedMail> {
    const { workspaceId, invitee } = state;
    if (invitee === null) throw new Error('an invitation has an invitee');
    const { email } = invitee;
    return this.mails.reserve({ workspaceId, email, reference: resendId, isResend: true, callsAgain: false });
  }

  /** Not a step of `performEffect`: only a failed intent releases the resend, for example if two creators race for a key. */
  private async request(
    resend: LoadedResend,
    creator: FoundCreator,
    invitationId: string,
    context: CommandContext,
  ): Promise<Requested> {
    const { repository, clock } = this.ports;
    const reserve = (state: CreatorState) => reserveResend(state, resend.id, clock.now());
    const reserved = enrolled(await repository.update(creator, context, reserve));
    const resending = { creatorId: creator.id, invitationId };
    try {
      const intended = await this.resends.update(resend, context, (state) => requestResend(state, resending));
      return { resend: intended, creator: reserved };
    } catch (error) {
      await this.release(reserved, resend.id, context);
      throw error;
    }
  }

  private async send(
    { resend, creator }: Requested,
    { mail, invitationId, isRepeat }: { mail: ReservedMail; invitationId: string; isRepeat: boolean },
    context: CommandContext,
  ): Promise<ResendInvitationResult> {
    const { effect } = await performEffect(this.resends, resend, context, {
      call: () => this.ports.platform.resendInvitation(creator.state.agencyId, invitationId, resend.id),
      outcome: (state, sent) => recordResend(state, creator.id, sent),
    });
    if (effect.outcome === 'unknown') throw new DomainError('provider_timeout', { cause: effect.error });
    if (effect.outcome === 'refused') {
      await mail.release();
      return this.refuse(await this.release(creator, resend.id, context), effect.code, context);
    }
    const { loaded, isOvertaken } = await this.ports.repository.updateIfUnchanged(creator, context, (state) =>
      isRepeat ? [] : observeInvitation(state, effect.value),
    );
    const seen = enrolled(loaded);
    const isLatest = !isRepeat && !isOvertaken;
    return { creator: isLatest ? seen.state : await this.presently(seen, context), emailSent: effect.value.emailSent };
  }

  /** D76: a remembered or overtaken answer may be older than what is recorded: the invitation is read if possible. */
  private async presently(creator: FoundCreator, context: CommandContext): Promise<EnrolledCreator> {
    const seen = await this.creators.refresh(creator, context).catch((error: unknown) => {
      if (error instanceof DomainError) return creator;
      throw error;
    });
    return seen.state;
  }

  private async refuse(released: FoundCreator, code: string, context: CommandContext): Promise<never> {
    if (code === 'capacity_reached') throw new DomainError('capacity_reached');
    if (code !== 'invitation_not_pending' && code !== 'not_found') {
      throw new DomainError('provider_invalid_response', { cause: code });
    }
    return refuseFor(visible(await this.creators.refresh(released, context)));
  }

  private async release(creator: FoundCreator, resendId: string, context: CommandContext): Promise<FoundCreator> {
    return enrolled(await this.ports.repository.update(creator, context, (state) => releaseResend(state, resendId)));
  }
}

interface Requested {
  readonly resend: LoadedResend;
  /** With the reserved resend. */
  readonly creator: FoundCreator;
}

const invitationToResend = ({ userId, enrollment, invitationId }: EnrolledCreator): string | undefined => {
  const isOpen = enrollment.status === 'invited' || enrollment.status === 'expired';
  return userId === null && isOpen && invitationId !== null ? invitationId : undefined;
};

/** D39: neither pending nor expired. */
const refuseFor = ({ state }: FoundCreator): never => {
  throw new DomainError(state.userId === null ? 'not_found' : 'creator_onboarding_completed');
};
