import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, type CommandContext, type CreatorId, isRefusedWith, performEffect } from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import { assertAccessible, type EnrolledCreator, isAccessible } from '../../domain/creator.state.js';
import { requireWritable } from '../../domain/enrollment/enrollment.js';
import { observeMissing } from '../../domain/membership/observation.js';
import {
  mayReleaseSlot,
  pauseProtection,
  recordSlotRelease,
  slotCallTime,
} from '../../domain/protection/protection.js';
import { CreatorRepository } from '../creator.repository.js';
import { type AgencyScope, CreatorAccess } from '../creator-access.js';
import { CreatorPlatform } from '../creator-platform.js';

/** Stops the API schedule. The pause is recorded first; then the slot is released, by the worker if it fails here (D42). */
export class PauseProtection extends Command<EnrolledCreator> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(PauseProtection)
export class PauseProtectionHandler implements ICommandHandler<PauseProtection> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: CreatorPlatform,
    private readonly clock: Clock,
    private readonly options: CreatorsOptions,
  ) {}

  execute({ creatorId, scope, context }: PauseProtection): Promise<EnrolledCreator> {
    const callTime = slotCallTime(this.options.providerTimeout);
    return this.creators.exclusively(creatorId, scope, async () => {
      const before = await this.creators.accessible(creatorId, scope, context);
      requireWritable(before.state, scope.epoch);
      const paused = await this.repository.update(before, context, (state) =>
        pauseProtection(assertAccessible(state), 'api_request'),
      );
      const { loaded: released } = await performEffect(this.repository, paused, context, {
        call: (state) =>
          mayReleaseSlot(state, callTime, this.clock.now())
            ? this.platform.releaseSlot(state.agencyId, state.userId, this.clock.now() * 1_000)
            : undefined,
        outcome: (state, effect, call) => [
          // Where this request has paused, no release of this slot came before.
          ...recordSlotRelease(state, effect, call, paused.events.length === 0),
          ...(isRefusedWith(effect, 'not_found') ? observeMissing(state, null) : []),
        ],
      });
      // Hidden from now on; the pause itself has been done.
      return isAccessible(released.state) ? released.state : assertAccessible(paused.state);
    });
  }
}
