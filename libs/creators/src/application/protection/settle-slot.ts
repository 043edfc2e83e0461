import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, deniedUntil } from '#agencies';
import { Leases, NOTHING_LEFT, type NothingLeft, type Postponed, postponed } from '#jobs';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DomainError,
  type Duration,
  type Instant,
  performEffect,
} from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import type { CreatorState } from '../../domain/creator.state.js';
import {
  abandonOverdueActivation,
  isToRelease,
  mayReleaseSlot,
  recordSlotRelease,
  slotCallSettledBy,
  slotCallTime,
} from '../../domain/protection/protection.js';
import { isReoccupying, type Reoccupying } from '../../domain/protection/slot-reoccupation.js';
import { CreatorRepository } from '../creator.repository.js';
import { CreatorAccess } from '../creator-access.js';
import { withCreatorLease } from '../creator-lease.js';
import { CreatorPlatform } from '../creator-platform.js';
import type { LoadedCreator } from '../loaded-creator.js';

/**
 * Postponed until the call that is under way has its outcome at the latest, or until a denied agency is asked about again.
 * Nothing is left to do also if another process did it.
 */
export type SettleSlotResult = Postponed | NothingLeft;

/**
 * Brings a creator's slot at the platform in step with its protection: abandons an activation without an outcome (D42),
 * occupies again the slot of a creator that is seen again (D77) and one that a late release may free (D42), releases a slot
 * that is no longer needed. For a denied agency it occupies none (D19). Rejects with a `provider_*` error if the platform
 * did not do it; then it has to be tried again.
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
    private readonly access: AgencyAccess,
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
      if (!isReoccupying(creator.state)) {
        return resultOf((await this.release(creator, callTime, context)).state, callTime, this.clock.now());
      }
      const until = await this.notBefore(creator.state, callTime);
      if (until !== undefined) return postponed(until);
      const { state } = await this.creators.withSlot(creator, context, isReoccupying);
      return resultOf(state, callTime, this.clock.now());
    });
  }

  /** When the slot may be occupied again, undefined for now: if no other process does it, and its agency may act. */
  private async notBefore(creator: Reoccupying, callTime: Duration): Promise<Instant | undefined> {
    const now = this.clock.now();
    const settledBy = slotCallSettledBy(creator, callTime);
    if (settledBy !== undefined && now < settledBy) return settledBy;
    return deniedUntil(this.access, creator.agencyId, now);
  }

  private async release(creator: LoadedCreator, callTime: Duration, context: CommandContext): Promise<LoadedCreator> {
    const { loaded } = await performEffect(this.repository, creator, context, {
      call: (state) =>
        mayReleaseSlot(state, callTime, this.clock.now())
          ? this.platform.releaseSlot(state.agencyId, state.userId, this.clock.now() * 1_000)
          : undefined,
      outcome: (state, effect, call) => recordSlotRelease(state, effect, call, true),
    });
    return loaded;
  }
}

const resultOf = (state: CreatorState, callTime: Duration, now: Instant): SettleSlotResult => {
  const until = slotCallSettledBy(state, callTime);
  if (isToRelease(state) && now >= (until ?? now)) throw new DomainError('provider_unavailable');
  if (until !== undefined) return postponed(until);
  return NOTHING_LEFT;
};
