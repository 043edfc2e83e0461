import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, DomainError, newEventId } from '#kernel';
import {
  assertAccessible,
  type CreatorState,
  type EnrolledCreator,
  requireWritable,
  type WithUser,
} from '../../domain/creator.state.js';
import { requestActivation } from '../../domain/protection/protection.js';
import { isUnconfirmed } from '../../domain/protection/slot.js';
import { CreatorCommand } from '../access/creator-command.js';
import type { LoadedCreator } from '../access/loaded-creator.js';
import { ObservedCreators } from '../access/observed-creators.js';
import { SlotCalls } from '../access/slot-calls.js';

/** Where the outcome is unknown, the same request continues the intent; `SettleSlot` abandons it later (D42). */
export class ActivateProtection extends CreatorCommand {}

@CommandHandler(ActivateProtection)
export class ActivateProtectionHandler implements ICommandHandler<ActivateProtection> {
  constructor(
    private readonly creators: ObservedCreators,
    private readonly slots: SlotCalls,
  ) {}

  /** Under the lease, so that of an agency's concurrent requests none is answered as overtaken. */
  execute({ creatorId, scope, context }: ActivateProtection): Promise<EnrolledCreator> {
    return this.creators.exclusively(creatorId, scope, async () => {
      const before = await this.creators.forWrite(creatorId, scope, context);
      requireWritable(before.state, scope.epoch);
      // D41: an active creator stays active, in any standing.
      if (before.state.protection.status === 'active') return before.state;
      const seen = await this.creators.current(before, context);
      const { loaded, effect } = await this.slots.perform(seen, context, hasOpenActivation, (state, now) =>
        requestActivation(assertAccessible(state), { activationId: newEventId(), epoch: scope.epoch }, now),
      );
      if (effect?.outcome === 'unknown') throw effect.error;
      if (effect?.outcome === 'refused') return this.refuse(loaded, effect.code, context);
      const creator = assertAccessible(loaded.state);
      // The intent was abandoned during the call.
      if (creator.protection.status !== 'active') throw new DomainError('provider_timeout');
      return creator;
    });
  }

  private async refuse(abandoned: LoadedCreator, code: string, context: CommandContext): Promise<never> {
    if (code === 'not_found') await this.creators.reportMissing(abandoned, context);
    const isKnown = code === 'not_found' || code === 'capacity_reached';
    throw new DomainError(isKnown ? code : 'provider_invalid_response', { cause: code });
  }
}

const hasOpenActivation = (state: CreatorState): state is WithUser =>
  isUnconfirmed(state) && state.slot.activation !== null;
