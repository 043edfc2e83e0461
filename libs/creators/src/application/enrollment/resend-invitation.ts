import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, type CommandContext, type CreatorId, DomainError, performEffect, requireVisibleKey } from '#kernel';
import { type EnrolledCreator, requireWritable } from '../../domain/creator.state.js';
import { observeInvitation } from '../../domain/enrollment/enrollment.js';
import {
  invitationResendIdOf,
  recordResend,
  requestResend,
  requireSameResend,
} from '../../domain/enrollment/invitation-resend.js';
import { releaseResend, reserveResend } from '../../domain/enrollment/resend-allowance.js';
import type { NativeInvitation } from '../../domain/native-invitation.js';
import { CreatorRepository } from '../access/creator.repository.js';
import type { AgencyScope } from '../access/creator-access.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { enrolled, type FoundCreator, visible } from '../access/loaded-creator.js';
import { ObservedCreators } from '../access/observed-creators.js';
import { InvitationMails, type ReservedMail } from './invitation-mails.js';
import { InvitationResendRepository, type LoadedResend } from './invitation-resend.repository.js';

export interface ResendInvitationResult {
  readonly creator: EnrolledCreator;
  readonly emailSent: boolean;
}

/** One mail a key (D39). Unknown is `provider_timeout`, which the same again settles; a refusal leaves the key free. */
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

interface Requested {
  readonly resend: LoadedResend;
  readonly creator: FoundCreator;
  readonly mail: ReservedMail;
  readonly invitationId: string;
  readonly isRepeat: boolean;
}

@CommandHandler(ResendInvitation)
export class ResendInvitationHandler implements ICommandHandler<ResendInvitation> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly resends: InvitationResendRepository,
    private readonly creators: ObservedCreators,
    private readonly platform: CreatorPlatform,
    private readonly mails: InvitationMails,
    private readonly clock: Clock,
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
      const { creator, invitationId } = isRepeat
        ? { creator: found, invitationId: earlier.invitationId }
        : await this.resendable(found, context);
      const mail = await this.reserveMail(creator, resendId);
      const requested = await mail.during(async () => {
        const reserved = enrolled(
          await this.repository.update(creator, context, (state) => reserveResend(state, resendId, this.clock.now())),
        );
        return { creator: reserved, resend: await this.request(resend, reserved, invitationId, context) };
      });
      return this.send({ ...requested, mail, invitationId, isRepeat }, context);
    });
  }

  /** D88: creators with one address share its allowance. */
  private reserveMail({ state }: FoundCreator, resendId: string): Promise<ReservedMail> {
    const { workspaceId, invitee } = state;
    if (invitee === null) throw new Error('an invitation has an invitee');
    const { email } = invitee;
    return this.mails.reserve({ workspaceId, email, reference: resendId, isResend: true, callsAgain: false });
  }

  private async resendable(
    creator: FoundCreator,
    context: CommandContext,
  ): Promise<{ readonly creator: FoundCreator; readonly invitationId: string }> {
    const known = invitationToResend(creator.state);
    if (known !== undefined) return { creator, invitationId: known };
    const seen = visible(await this.creators.refresh(creator, context));
    return { creator: seen, invitationId: invitationToResend(seen.state) ?? refuseFor(seen) };
  }

  /** Not a step of `performEffect`: only a failed intent releases the resend, as of two creators that race for a key. */
  private async request(
    resend: LoadedResend,
    creator: FoundCreator,
    invitationId: string,
    context: CommandContext,
  ): Promise<LoadedResend> {
    try {
      return await this.resends.update(resend, context, (state) =>
        requestResend(state, { creatorId: creator.id, invitationId }),
      );
    } catch (error) {
      await this.release(creator, resend.id, context);
      throw error;
    }
  }

  private async send(requested: Requested, context: CommandContext): Promise<ResendInvitationResult> {
    const { resend, creator, invitationId } = requested;
    const { effect } = await performEffect(this.resends, resend, context, {
      call: () => this.platform.resendInvitation(creator.state.agencyId, invitationId, resend.id),
      outcome: (state, sent) => recordResend(state, creator.id, sent),
    });
    switch (effect.outcome) {
      case 'done':
        return this.conclude(requested, effect.value, context);
      case 'refused':
        return this.refuse(requested, effect.code, context);
      case 'unknown':
        throw new DomainError('provider_timeout', { cause: effect.error });
    }
  }

  private async conclude(
    { creator, isRepeat }: Requested,
    invitation: NativeInvitation,
    context: CommandContext,
  ): Promise<ResendInvitationResult> {
    const { loaded, isOvertaken } = await this.repository.updateIfUnchanged(creator, context, (state) =>
      isRepeat ? [] : observeInvitation(state, invitation),
    );
    const seen = enrolled(loaded);
    const isLatest = !isRepeat && !isOvertaken;
    return { creator: isLatest ? seen.state : await this.presently(seen, context), emailSent: invitation.emailSent };
  }

  /** D76: a remembered or overtaken answer may be older than what is recorded: the invitation is read, if it can be. */
  private async presently(creator: FoundCreator, context: CommandContext): Promise<EnrolledCreator> {
    const seen = await this.creators.refresh(creator, context).catch((error: unknown) => {
      if (error instanceof DomainError) return creator;
      throw error;
    });
    return seen.state;
  }

  private async refuse({ resend, creator, mail }: Requested, code: string, context: CommandContext): Promise<never> {
    await mail.release();
    const released = await this.release(creator, resend.id, context);
    if (code === 'capacity_reached') throw new DomainError('capacity_reached');
    if (code !== 'invitation_not_pending' && code !== 'not_found') {
      throw new DomainError('provider_invalid_response', { cause: code });
    }
    return refuseFor(visible(await this.creators.refresh(released, context)));
  }

  private async release(creator: FoundCreator, resendId: string, context: CommandContext): Promise<FoundCreator> {
    return enrolled(await this.repository.update(creator, context, (state) => releaseResend(state, resendId)));
  }
}

const invitationToResend = ({ userId, enrollment, invitationId }: EnrolledCreator): string | undefined => {
  const isOpen = enrollment.status === 'invited' || enrollment.status === 'expired';
  return userId === null && isOpen && invitationId !== null ? invitationId : undefined;
};

/** D39: neither pending nor expired. */
const refuseFor = ({ state }: FoundCreator): never => {
  throw new DomainError(state.userId === null ? 'not_found' : 'creator_onboarding_completed');
};
