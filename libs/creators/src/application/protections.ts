import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import { Clock, type CommandContext, type CreatorId, DomainError, type Duration, newEventId } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../domain/creator.state.js';
import { requireWritable } from '../domain/enrollment/enrollment.js';
import { observeMissing } from '../domain/membership/observation.js';
import {
  ACTIVATION_TIMEOUT,
  abandonActivation,
  confirmActivation,
  mayReleaseSlot,
  openActivation,
  pauseProtection,
  recordSlotRelease,
  requestActivation,
} from '../domain/protection/protection.js';
import { isReappearing } from '../domain/protection/slot-reoccupation.js';
import { CreatorRepository, type LoadedCreator } from './creator.repository.js';
import { type AgencyScope, CreatorAccess } from './creator-access.js';
import { withCreatorLease } from './creator-lease.js';
import { CreatorPlatform } from './ports.js';

/** Switches the API schedule, and keeps its slot at the platform in step; one creator's slot calls run in turn (D42). */
@Injectable()
export class Protections {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  async activate(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<EnrolledCreator> {
    return this.exclusively(creatorId, async () => {
      const before = await this.creators.accessible(creatorId, scope, context);
      // D41: an active creator stays active, in any standing.
      if (before.state.protection.status === 'active') return before.state;
      requireWritable(before.state, scope.epoch);
      const seen = await this.creators.observe(before, context);
      const intended = await this.repository.update(seen, context, (state, now) =>
        requestActivation(assertAccessible(state), { activationId: newEventId(), epoch: scope.epoch }, now),
      );
      return this.occupySlot(intended, context);
    });
  }

  /** Recorded first; then the slot is given back, by the worker if it fails here (D42). */
  async pause(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<EnrolledCreator> {
    return this.exclusively(creatorId, async () => {
      const before = await this.creators.accessible(creatorId, scope, context);
      requireWritable(before.state, scope.epoch);
      const paused = await this.repository.update(before, context, (state) =>
        pauseProtection(assertAccessible(state), 'api_request'),
      );
      const released = await this.releaseSlot(paused, context, (state) => observeMissing(state, null));
      // Hidden from now on; the pause itself has been done.
      return isAccessible(released.state) ? released.state : assertAccessible(paused.state);
    });
  }

  /**
   * Abandons an activation that was never settled, occupies the slot of one that is seen again, and gives back a slot that
   * is no longer needed: the worker's part. What was asked for within `callTime` may still be under way, and is left alone.
   */
  settle(creatorId: CreatorId, callTime: Duration, context: CommandContext): Promise<CreatorState> {
    return this.exclusively(creatorId, async () => {
      const creator = await this.repository.update(creatorId, context, (current, now) => {
        if (current.status === 'unknown' || current.slot.status !== 'requested') return [];
        if (now < current.slot.since + Math.max(ACTIVATION_TIMEOUT, callTime)) return [];
        return abandonActivation(current, current.slot.activationId, 'unsettled');
      });
      if (!isReappearing(creator.state)) return (await this.releaseSlot(creator, context)).state;
      if (this.clock.now() < creator.state.slot.since + callTime) return creator.state;
      return (await this.creators.withSlot(creator, context)).state;
    });
  }

  private async occupySlot(intended: LoadedCreator, context: CommandContext): Promise<EnrolledCreator> {
    const creator = assertAccessible(intended.state);
    const activationId = openActivation(creator);
    if (activationId === undefined || creator.userId === null) return creator;
    const effect = await this.platform.occupySlot(creator.agencyId, creator.userId);
    if (effect.outcome === 'unknown') throw effect.error;
    if (effect.outcome === 'refused') return this.refuse(intended, activationId, effect.code, context);
    const { state } = await this.repository.update(intended, context, (current) =>
      confirmActivation(assertAccessible(current), activationId),
    );
    return assertAccessible(state);
  }

  private async refuse(
    intended: LoadedCreator,
    activationId: string,
    code: string,
    context: CommandContext,
  ): Promise<never> {
    const reason = code === 'capacity_reached' || code === 'not_found' ? code : 'unsettled';
    const abandoned = await this.repository.update(intended, context, (state) =>
      abandonActivation(state, activationId, reason),
    );
    if (reason === 'not_found') await this.creators.reportMissing(abandoned, context);
    throw new DomainError(reason === 'unsettled' ? 'provider_invalid_response' : reason, { cause: code });
  }

  /** `observe` says what is recorded beside it where the platform knows no such creator. */
  private async releaseSlot(
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

  private exclusively<T>(creatorId: CreatorId, task: () => Promise<T>): Promise<T> {
    return withCreatorLease(this.leases, creatorId, task);
  }
}

const assertAccessible = (state: CreatorState): EnrolledCreator => {
  if (!isAccessible(state)) throw new DomainError('not_found');
  return state;
};
