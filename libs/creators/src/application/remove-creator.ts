import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Leases } from '#jobs';
import { type CommandContext, type CreatorId, DomainError, holds } from '#kernel';
import { assertAccessible, type EnrolledCreator, isAccessible } from '../domain/creator.state.js';
import { observeInvitation, requireWritable } from '../domain/enrollment/enrollment.js';
import { planRemoval, removeCreator } from '../domain/membership/removal.js';
import { CreatorRepository, type FoundCreator } from './creator.repository.js';
import { type AgencyScope, CreatorAccess } from './creator-access.js';
import { withCreatorLease } from './creator-lease.js';
import { CreatorPlatform } from './ports.js';

/**
 * Withdraws the invitation, or detaches who accepted it and is not onboarded; the record stays (D38). One outside call,
 * none for a repeat. After any failure the same request continues from there.
 */
export class RemoveCreator extends Command<EnrolledCreator> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RemoveCreator)
export class RemoveCreatorHandler implements ICommandHandler<RemoveCreator> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
  ) {}

  execute({ creatorId, scope, context }: RemoveCreator): Promise<EnrolledCreator> {
    return withCreatorLease(this.leases, creatorId, async () => {
      const found = await this.creators.accessible(creatorId, scope, context);
      requireWritable(found.state, scope.epoch);
      const creator = await this.settled(found, context);
      const removal = planRemoval(creator.state);
      switch (removal.step) {
        case 'none':
          return creator.state;
        case 'record':
          return this.record(creator, 'cancelled', context);
        case 'withdraw':
          return this.record(creator, await this.withdraw(creator, removal.invitationId, context), context);
        case 'look_up':
          // No invitation under its reference yet: the call that sends it may still be on its way, and with it a mail
          // whose link would work. To say that it is cancelled would be to promise what nobody can keep.
          throw new DomainError('provider_unavailable');
      }
    });
  }

  /** First looks up the outcome of an invitation by its reference, if it is unknown. */
  private async settled(creator: FoundCreator, context: CommandContext): Promise<FoundCreator> {
    if (planRemoval(creator.state).step !== 'look_up') return creator;
    const { creatorId, agencyId } = creator.state;
    const invitation = await this.platform.findInvitation(agencyId, creatorId);
    if (invitation === undefined) return creator;
    const seen = await this.repository.update(creator, context, (state) => observeInvitation(state, invitation));
    if (!holds(seen, isAccessible)) throw new DomainError('not_found');
    return seen;
  }

  private async withdraw(
    creator: FoundCreator,
    invitationId: string,
    context: CommandContext,
  ): Promise<'cancelled' | 'detached'> {
    const effect = await this.platform.withdrawInvitation(creator.state.agencyId, invitationId);
    if (effect.outcome === 'unknown') throw effect.error;
    if (effect.outcome === 'refused') {
      // D76: there is nothing left that could be withdrawn.
      if (effect.code === 'not_found') return 'cancelled';
      const hasOnboarded = effect.code === 'creator_onboarding_completed';
      if (!hasOnboarded) throw new DomainError('provider_invalid_response', { cause: effect.code });
      // It is shown as what it has become; that it cannot be removed does not depend on that read.
      await this.creators.refresh(creator, context, null).catch(() => undefined);
      throw new DomainError('creator_onboarding_completed');
    }
    const { status } = effect.value;
    if (status !== 'cancelled' && status !== 'detached') {
      throw new DomainError('provider_invalid_response', { cause: `withdrawn, and ${status}` });
    }
    return status;
  }

  private async record(
    creator: FoundCreator,
    as: 'cancelled' | 'detached',
    context: CommandContext,
  ): Promise<EnrolledCreator> {
    const { state: removed } = await this.repository.update(creator, context, (state) => removeCreator(state, as));
    return assertAccessible(removed);
  }
}
