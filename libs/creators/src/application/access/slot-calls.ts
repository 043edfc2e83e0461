import { Injectable } from '@nestjs/common';
import { type CommandContext, type Decision, DomainError, type Effect, isRefusedWith, performEffect } from '#kernel';
import type { CreatorEvent } from '../../domain/creator.events.js';
import type { CreatorState, WithUser } from '../../domain/creator.state.js';
import { isReappearing } from '../../domain/protection/slot.js';
import { recordSlotCall } from '../../domain/protection/slot-answers.js';
import { CreatorRepository } from './creator.repository.js';
import { CreatorPlatform } from './creator-platform.js';
import type { LoadedCreator } from './loaded-creator.js';

interface SlotCall {
  readonly loaded: LoadedCreator;
  /** Undefined where there was nothing to call. */
  readonly effect: Effect<void> | undefined;
}

/** These calls wait for no lease and no other call: by its fence, one that arrives late changes nothing (D90). */
@Injectable()
export class SlotCalls {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly platform: CreatorPlatform,
  ) {}

  /** Asks for what is wanted, if `isDue`, and records the answer. A stale fence is raised, and the call made once more. */
  async perform(
    creator: LoadedCreator,
    context: CommandContext,
    isDue: (state: CreatorState) => state is WithUser,
    intent?: Decision<CreatorState, CreatorEvent>,
  ): Promise<SlotCall> {
    const attempt = (target: LoadedCreator) =>
      performEffect(this.repository, target, context, {
        ...(intent && { intent }),
        call: (state) => (isDue(state) ? this.ask(state) : undefined),
        outcome: recordSlotCall,
      });
    const first = await attempt(creator);
    const isRaised = first.loaded.events.some(({ type }) => type === 'creator.slotFenceRaised.v1');
    const { loaded, effect } = isRaised ? await attempt(first.loaded) : first;
    // Another change has overtaken this one, or the platform goes on raising: the same request decides again.
    const isStale = effect !== undefined && isRefusedWith(effect, 'stale_fence');
    return { loaded, effect: isStale ? { outcome: 'unknown', error: new DomainError('provider_timeout') } : effect };
  }

  /** An unknown outcome is 503 or 504, which the worker settles (D77). */
  async reoccupied(creator: LoadedCreator, context: CommandContext): Promise<LoadedCreator> {
    if (!isReappearing(creator.state)) return creator;
    const { loaded, effect } = await this.perform(creator, context, isReappearing);
    if (effect?.outcome !== 'unknown') return loaded;
    // An answer that cannot be read says no more than none.
    if (effect.error.code !== 'provider_invalid_response') throw effect.error;
    throw new DomainError('provider_unavailable', { cause: effect.error });
  }

  private ask({ agencyId, userId, slot }: WithUser): Promise<Effect<void>> {
    return slot.isWanted
      ? this.platform.occupySlot(agencyId, userId, slot.fence)
      : this.platform.releaseSlot(agencyId, userId, slot.fence);
  }
}
