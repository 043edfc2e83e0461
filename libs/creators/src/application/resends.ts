import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import { type CommandContext, CommandRunner, type CreatorId, DomainError, type Position } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../domain/creator.state.js';
import { observeInvitation, requireWritable } from '../domain/enrollment/enrollment.js';
import type { InvitationResendEvent } from '../domain/enrollment/invitation-resend.events.js';
import {
  completeResend,
  type InvitationResend,
  invitationResendDecider,
  invitationResendIdOf,
  recordResendOutcomeUnknown,
  refuseResend,
  requestResend,
  requireSameResend,
} from '../domain/enrollment/invitation-resend.js';
import { releaseResend, reserveResend } from '../domain/enrollment/resend-allowance.js';
import { withCreatorLease } from './creator-lease.js';
import { type AgencyScope, Creators } from './creators.js';
import { CreatorPlatform, type NativeInvitation } from './ports.js';

export interface Resent {
  readonly creator: EnrolledCreator;
  readonly emailSent: boolean;
}

/** Sends invitations again: takes a place in the allowance, records the intent, calls, records the outcome (D39). */
@Injectable()
export class Resends {
  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
  ) {}

  /**
   * One mail a key. Where its outcome is not known it is `provider_timeout`, and the same again settles it; a refused
   * one counts for nothing and leaves the key free.
   */
  resend(creatorId: CreatorId, scope: AgencyScope, idempotencyKey: string, context: CommandContext): Promise<Resent> {
    const resendId = invitationResendIdOf(scope.agencyId, idempotencyKey);
    return withCreatorLease(this.leases, creatorId, async () => {
      const found = await this.creators.accessible(creatorId, scope, context);
      const { state: earlier } = await this.runner.load(invitationResendDecider, resendId);
      requireSameResend(earlier, creatorId);
      if (earlier.status === 'done') return { creator: found, emailSent: earlier.emailSent };
      requireWritable(found, scope.epoch);
      const invitationId = earlier.status === 'open' ? earlier.invitationId : await this.resendable(found, context);
      await this.decide(creatorId, context, (creator, now) => reserveResend(creator, resendId, now));
      await this.request(resendId, { creatorId, invitationId }, context);
      return this.send(resendId, found, { invitationId, isRepeat: earlier.status === 'open' }, context);
    });
  }

  /** The invitation, if it is pending or expired by what is known, or else by what the platform says now. */
  private async resendable(creator: EnrolledCreator, context: CommandContext): Promise<string> {
    const known = invitationToResend(creator);
    if (known !== undefined) return known;
    const seen = await this.creators.refresh(creator, context, null);
    const invitationId = isAccessible(seen) ? invitationToResend(seen) : undefined;
    return invitationId ?? refuseFor(seen);
  }

  /** Two creators that race for one key hold two leases: who comes second has reserved in vain. */
  private async request(
    resendId: string,
    resending: { readonly creatorId: CreatorId; readonly invitationId: string },
    context: CommandContext,
  ): Promise<void> {
    try {
      await this.record(resendId, context, (state) => requestResend(state, resending));
    } catch (error) {
      await this.release(resending.creatorId, resendId, context);
      throw error;
    }
  }

  private async send(
    resendId: string,
    creator: EnrolledCreator,
    { invitationId, isRepeat }: { readonly invitationId: string; readonly isRepeat: boolean },
    context: CommandContext,
  ): Promise<Resent> {
    const { creatorId, agencyId } = creator;
    const began = isRepeat ? null : await this.creators.place(creatorId);
    const effect = await this.platform.resendInvitation(agencyId, invitationId, resendId);
    if (effect.outcome === 'done')
      return this.conclude(resendId, creatorId, { invitation: effect.value, began }, context);
    if (effect.outcome === 'refused') return this.refuse(resendId, creator, effect.code, context);
    await this.record(resendId, context, recordResendOutcomeUnknown);
    throw new DomainError('provider_timeout', { cause: effect.error });
  }

  private async conclude(
    resendId: string,
    creatorId: CreatorId,
    { invitation, began }: { readonly invitation: NativeInvitation; readonly began: Position | null },
    context: CommandContext,
  ): Promise<Resent> {
    const { emailSent, expiresAt } = invitation;
    await this.record(resendId, context, (state) => completeResend(state, { creatorId, emailSent, expiresAt }));
    let isLatest = false;
    const seen = await this.creators.decide(creatorId, context, (state, _now, position) => {
      isLatest = began !== null && position <= began;
      return isLatest ? observeInvitation(state, invitation) : [];
    });
    if (seen.status === 'unknown') throw new DomainError('not_found');
    return { creator: isLatest ? seen : await this.presently(seen, context), emailSent };
  }

  /**
   * D76: the answer to a repeat is the remembered one of the first call, and one that was overtaken may be older than what
   * is recorded: the invitation is read, if it can be, as the mail has been sent in any case.
   */
  private async presently(creator: EnrolledCreator, context: CommandContext): Promise<EnrolledCreator> {
    const seen = await this.creators.refresh(creator, context, null).catch((error: unknown) => {
      if (error instanceof DomainError) return creator;
      throw error;
    });
    return seen.status === 'known' ? seen : creator;
  }

  private async refuse(
    resendId: string,
    creator: EnrolledCreator,
    code: string,
    context: CommandContext,
  ): Promise<never> {
    await this.record(resendId, context, (state) => refuseResend(state, code));
    await this.release(creator.creatorId, resendId, context);
    if (code === 'capacity_reached') throw new DomainError('capacity_reached');
    if (code !== 'invitation_not_pending' && code !== 'not_found') {
      throw new DomainError('provider_invalid_response', { cause: code });
    }
    return refuseFor(await this.creators.refresh(creator, context, null));
  }

  private async release(creatorId: CreatorId, resendId: string, context: CommandContext): Promise<void> {
    await this.decide(creatorId, context, (creator) => releaseResend(creator, resendId));
  }

  private async record(
    resendId: string,
    context: CommandContext,
    decision: (state: InvitationResend) => InvitationResendEvent[],
  ): Promise<void> {
    await this.runner.run(invitationResendDecider, resendId, context, decision);
  }

  private async decide(
    creatorId: CreatorId,
    context: CommandContext,
    decision: (creator: EnrolledCreator, now: number) => CreatorEvent[],
  ): Promise<EnrolledCreator> {
    const state = await this.creators.decide(creatorId, context, (current, now) =>
      current.status === 'known' ? decision(current, now) : [],
    );
    if (state.status === 'unknown') throw new DomainError('not_found');
    return state;
  }
}

const invitationToResend = ({ userId, enrollment, invitationId }: EnrolledCreator): string | undefined => {
  const isOpen = enrollment.status === 'invited' || enrollment.status === 'expired';
  return userId === null && isOpen && invitationId !== null ? invitationId : undefined;
};

/** D39: neither pending nor expired. */
const refuseFor = (state: CreatorState): never => {
  const hasUser = isAccessible(state) && state.userId !== null;
  throw new DomainError(hasUser ? 'creator_onboarding_completed' : 'not_found');
};
