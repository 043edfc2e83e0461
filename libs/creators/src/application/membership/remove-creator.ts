import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, DomainError, performEffect } from '#kernel';
import { assertAccessible, type EnrolledCreator, requireWritable } from '../../domain/creator.state.js';
import { observeInvitation } from '../../domain/enrollment/enrollment.js';
import { planRemoval, recordWithdrawal, removeCreator } from '../../domain/membership/removal.js';
import { CreatorAccess } from '../access/creator-access.js';
import { CreatorCommand, CreatorPorts, type FoundCreator, visible } from '../access/creator-ports.js';

/** The record stays (D38). One outside call, none for a repeat. After any failure the same request continues. */
export class RemoveCreator extends CreatorCommand {}

@CommandHandler(RemoveCreator)
export class RemoveCreatorHandler implements ICommandHandler<RemoveCreator> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
  ) {}

  execute({ creatorId, scope, context }: RemoveCreator): Promise<EnrolledCreator> {
    return this.creators.exclusively(creatorId, scope, async () => {
      const found = await this.creators.forWrite(creatorId, scope, context);
      requireWritable(found.state, scope.epoch);
      const creator = await this.settled(found, context);
      const removal = planRemoval(creator.state);
      switch (removal.step) {
        case 'none':
          return creator.state;
        case 'record':
          return this.cancel(creator, context);
        case 'withdraw':
          return this.withdraw(creator, removal.invitationId, context);
        case 'look_up':
          // The call that sends it may be under way, and with it a mail whose link would work.
          throw new DomainError('provider_unavailable');
      }
    });
  }

  private async settled(creator: FoundCreator, context: CommandContext): Promise<FoundCreator> {
    if (planRemoval(creator.state).step !== 'look_up') return creator;
    const { creatorId, agencyId } = creator.state;
    const invitation = await this.ports.platform.findInvitation(agencyId, creatorId);
    if (invitation === undefined) return creator;
    return visible(
      await this.ports.repository.update(creator, context, (state) => observeInvitation(state, invitation)),
    );
  }

  private async cancel(creator: FoundCreator, context: CommandContext): Promise<EnrolledCreator> {
    const { state } = await this.ports.repository.update(creator, context, (current) =>
      removeCreator(current, 'cancelled'),
    );
    return assertAccessible(state);
  }

  /** Without an intent: the invitation is withdrawn once, however often this is requested. */
  private async withdraw(
    creator: FoundCreator,
    invitationId: string,
    context: CommandContext,
  ): Promise<EnrolledCreator> {
    const { loaded, effect } = await performEffect(this.ports.repository, creator, context, {
      call: () => this.ports.platform.withdrawInvitation(creator.state.agencyId, invitationId),
      outcome: recordWithdrawal,
    });
    if (effect.outcome === 'unknown') throw effect.error;
    if (effect.outcome === 'refused' && effect.code !== 'not_found') return this.refuse(creator, effect.code, context);
    return assertAccessible(loaded.state);
  }

  private async refuse(creator: FoundCreator, code: string, context: CommandContext): Promise<never> {
    const hasOnboarded = code === 'creator_onboarding_completed';
    if (!hasOnboarded) throw new DomainError('provider_invalid_response', { cause: code });
    // It is shown as what it has become; that it cannot be removed does not depend on that read.
    await this.creators.refresh(creator, context).catch(() => undefined);
    throw new DomainError('creator_onboarding_completed');
  }
}
