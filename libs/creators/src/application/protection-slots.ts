import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import { Clock, type CommandContext, type CreatorId, type Duration } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import type { CreatorState } from '../domain/creator.state.js';
import {
  ACTIVATION_TIMEOUT,
  abandonActivation,
  mayReleaseSlot,
  recordSlotRelease,
} from '../domain/protection/protection.js';
import { isReappearing } from '../domain/protection/slot-reoccupation.js';
import { CreatorRepository, type LoadedCreator } from './creator.repository.js';
import { CreatorAccess } from './creator-access.js';
import { withCreatorLease } from './creator-lease.js';
import { CreatorPlatform } from './ports.js';

/** Keeps a creator's slot at the platform in step with its protection; one creator's slot calls run in turn (D42). */
@Injectable()
export class ProtectionSlots {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /**
   * Abandons an activation that was never settled, occupies the slot of a creator that is seen again, and releases a slot
   * that is no longer needed: the worker's part. A call that began within `callTime` may still be under way: it is left alone.
   */
  settle(creatorId: CreatorId, callTime: Duration, context: CommandContext): Promise<CreatorState> {
    return withCreatorLease(this.leases, creatorId, async () => {
      const creator = await this.repository.update(creatorId, context, (current, now) => {
        if (current.status === 'unknown' || current.slot.status !== 'requested') return [];
        if (now < current.slot.since + Math.max(ACTIVATION_TIMEOUT, callTime)) return [];
        return abandonActivation(current, current.slot.activationId, 'unsettled');
      });
      if (!isReappearing(creator.state)) return (await this.release(creator, context)).state;
      if (this.clock.now() < creator.state.slot.since + callTime) return creator.state;
      return (await this.creators.withSlot(creator, context)).state;
    });
  }

  /**
   * Runs under the creator's lease. A release that fails is left to the worker. `observe` returns what else is recorded
   * where the platform knows no such creator.
   */
  async release(
    creator: LoadedCreator,
    context: CommandContext,
    observe: (state: CreatorState) => CreatorEvent[] = () => [],
  ): Promise<LoadedCreator> {
    const { state } = creator;
    if (!mayReleaseSlot(state) || state.userId === null) return creator;
    const effect = await this.platform.releaseSlot(state.agencyId, state.userId);
    // A creator that is no member holds no slot of this agency.
    const isGone = effect.outcome === 'refused' && effect.code === 'not_found';
    if (!isGone && effect.outcome !== 'done') return creator;
    return this.repository.update(creator, context, (current) => [
      ...recordSlotRelease(current),
      ...(isGone ? observe(current) : []),
    ]);
  }
}
