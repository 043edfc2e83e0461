import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { TaskCommand } from '#jobs';
import { Clock, type CreatorId, DomainError, type Instant, type TaskOutcome } from '#kernel';
import type { WithUser } from '../../domain/creator.state.js';
import { abandonOverdueActivation, activationOpenUntil } from '../../domain/protection/protection.js';
import { isUnconfirmed } from '../../domain/protection/slot.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { SlotCalls } from '../access/slot-calls.js';

/** Brings a slot in step with protection (D42, D77). For a denied agency it occupies none (D19). Rejects if it failed. */
export class SettleSlot extends TaskCommand<CreatorId> {}

@CommandHandler(SettleSlot)
export class SettleSlotHandler implements ICommandHandler<SettleSlot> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly slots: SlotCalls,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ subject: creatorId, context }: SettleSlot): Promise<TaskOutcome> {
    const creator = await this.repository.update(creatorId, context, (state) =>
      abandonOverdueActivation(state, this.clock.now()),
    );
    if (!isUnconfirmed(creator.state)) return 'idle';
    const until = await this.notBefore(creator.state);
    if (until !== undefined) return { retryAt: until };
    const { loaded, effect } = await this.slots.perform(creator, context, isUnconfirmed);
    if (!isUnconfirmed(loaded.state)) return 'idle';
    throw effect?.outcome === 'unknown' ? effect.error : new DomainError('provider_unavailable');
  }

  private notBefore(creator: WithUser): Instant | undefined | Promise<Instant | undefined> {
    const openUntil = activationOpenUntil(creator);
    if (openUntil !== undefined || !creator.slot.isWanted) return openUntil;
    return this.access.deniedUntil(creator.agencyId);
  }
}
