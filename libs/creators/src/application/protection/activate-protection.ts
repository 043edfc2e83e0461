import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DomainError,
  type Effect,
  newEventId,
  performEffect,
} from '#kernel';
import { assertAccessible, type EnrolledCreator } from '../../domain/creator.state.js';
import { requireWritable } from '../../domain/enrollment/enrollment.js';
import { openActivation, recordActivation, requestActivation } from '../../domain/protection/protection.js';
import { CreatorRepository } from '../creator.repository.js';
import { type AgencyScope, CreatorAccess } from '../creator-access.js';
import { CreatorPlatform } from '../creator-platform.js';
import type { LoadedCreator } from '../loaded-creator.js';

/**
 * Starts the API schedule: the intent is recorded, the slot occupied, the activation recorded; one creator's slot calls run
 * in turn (D42). Where the outcome is unknown, the same again continues the intent; `SlotSettling` abandons it later.
 */
export class ActivateProtection extends Command<EnrolledCreator> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ActivateProtection)
export class ActivateProtectionHandler implements ICommandHandler<ActivateProtection> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: CreatorPlatform,
    private readonly clock: Clock,
  ) {}

  execute({ creatorId, scope, context }: ActivateProtection): Promise<EnrolledCreator> {
    return this.creators.exclusively(creatorId, scope, async () => {
      const before = await this.creators.accessible(creatorId, scope, context);
      // D41: an active creator stays active, in any standing.
      if (before.state.protection.status === 'active') return before.state;
      requireWritable(before.state, scope.epoch);
      const seen = await this.creators.observe(before, context);
      const { loaded, effect } = await performEffect(this.repository, seen, context, {
        intent: (state, now) =>
          requestActivation(assertAccessible(state), { activationId: newEventId(), epoch: scope.epoch }, now),
        call: (intended) => this.occupySlot(assertAccessible(intended)),
        outcome: recordActivation,
      });
      if (effect?.outcome === 'unknown') throw effect.error;
      if (effect?.outcome === 'refused') return this.refuse(loaded, effect.code, context);
      const creator = assertAccessible(loaded.state);
      // The intent was abandoned during the call.
      if (creator.protection.status !== 'active') throw new DomainError('provider_timeout');
      return creator;
    });
  }

  private occupySlot(creator: EnrolledCreator): Promise<Effect<void>> | undefined {
    const { agencyId, userId } = creator;
    if (openActivation(creator) === undefined || userId === null) return undefined;
    return this.platform.occupySlot(agencyId, userId, this.clock.now() * 1_000);
  }

  private async refuse(abandoned: LoadedCreator, code: string, context: CommandContext): Promise<never> {
    if (code === 'not_found') await this.creators.reportMissing(abandoned, context);
    // The intent was abandoned during the call.
    if (code === 'stale_fence') throw new DomainError('provider_timeout');
    const isKnown = code === 'not_found' || code === 'capacity_reached';
    throw new DomainError(isKnown ? code : 'provider_invalid_response', { cause: code });
  }
}
