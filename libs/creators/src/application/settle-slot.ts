import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Leases } from '#jobs';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DomainError,
  type Duration,
  type Instant,
  performEffect,
} from '#kernel';
import { CreatorsOptions } from '../creators.options.js';
import type { CreatorState } from '../domain/creator.state.js';
import {
  abandonOverdueActivation,
  isToRelease,
  mayReleaseSlot,
  recordSlotRelease,
  slotCallSettledBy,
  slotCallTime,
} from '../domain/protection/protection.js';
import { isReappearing } from '../domain/protection/slot-reoccupation.js';
import { CreatorRepository, type LoadedCreator } from './creator.repository.js';
import { CreatorAccess } from './creator-access.js';
import { withCreatorLease } from './creator-lease.js';
import { CreatorPlatform } from './ports.js';

/** When the call that is under way has its outcome at the latest; or that nothing is left to do, also if another did it. */
export type SettleSlotResult =
  | { readonly outcome: 'postponed'; readonly until: Instant }
  | { readonly outcome: 'nothing_left' };

/**
 * Brings a creator's slot at the platform in step with its protection: abandons an activation that nobody settled (D42),
 * occupies the slot of a creator that is seen again (D77), releases a slot that is no longer needed. Rejects with a
 * `provider_*` error if the platform did not do it; then it has to be tried again.
 */
export class SettleSlot extends Command<SettleSlotResult> {
  constructor(
    readonly creatorId: CreatorId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SettleSlot)
export class SettleSlotHandler implements ICommandHandler<SettleSlot> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly options: CreatorsOptions,
  ) {}

  execute({ creatorId, context }: SettleSlot): Promise<SettleSlotResult> {
    const callTime = slotCallTime(this.options.providerTimeout);
    return withCreatorLease(this.leases, creatorId, async () => {
      const creator = await this.repository.update(creatorId, context, (state, now) =>
        abandonOverdueActivation(state, callTime, now),
      );
      const { state } = isReappearing(creator.state)
        ? await this.reoccupy(creator, callTime, context)
        : await this.release(creator, callTime, context);
      return resultOf(state, callTime, this.clock.now());
    });
  }

  private async reoccupy(creator: LoadedCreator, callTime: Duration, context: CommandContext): Promise<LoadedCreator> {
    const settledBy = slotCallSettledBy(creator.state, callTime);
    const isUnderWay = settledBy !== undefined && this.clock.now() < settledBy;
    return isUnderWay ? creator : this.creators.withSlot(creator, context);
  }

  private async release(creator: LoadedCreator, callTime: Duration, context: CommandContext): Promise<LoadedCreator> {
    const { loaded } = await performEffect(this.repository, creator, context, {
      call: (state) =>
        mayReleaseSlot(state, callTime, this.clock.now())
          ? this.platform.releaseSlot(state.agencyId, state.userId)
          : undefined,
      outcome: recordSlotRelease,
    });
    return loaded;
  }
}

const resultOf = (state: CreatorState, callTime: Duration, now: Instant): SettleSlotResult => {
  const until = slotCallSettledBy(state, callTime);
  if (isToRelease(state) && now >= (until ?? now)) throw new DomainError('provider_unavailable');
  if (until !== undefined) return { outcome: 'postponed', until };
  return { outcome: 'nothing_left' };
};
