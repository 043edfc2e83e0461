import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefusedWith } from '#kernel';
import { assertAccessible, type EnrolledCreator, isAccessible, requireWritable } from '../../domain/creator.state.js';
import { pauseProtection } from '../../domain/protection/protection.js';
import { isToRelease } from '../../domain/protection/slot.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { CreatorCommand } from '../access/creator-command.js';
import { ObservedCreators } from '../access/observed-creators.js';
import { SlotCalls } from '../access/slot-calls.js';

/** Stops the API schedule. The pause is recorded first; then the slot is released, by the worker if it fails here (D42). */
export class PauseProtection extends CreatorCommand {}

@CommandHandler(PauseProtection)
export class PauseProtectionHandler implements ICommandHandler<PauseProtection> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: ObservedCreators,
    private readonly slots: SlotCalls,
  ) {}

  execute({ creatorId, scope, context }: PauseProtection): Promise<EnrolledCreator> {
    return this.creators.exclusively(creatorId, scope, async () => {
      const before = await this.creators.forWrite(creatorId, scope, context);
      requireWritable(before.state, scope.epoch);
      const paused = await this.repository.update(before, context, (state) =>
        pauseProtection(assertAccessible(state), 'api_request'),
      );
      const { loaded, effect } = await this.slots.perform(paused, context, isToRelease);
      const isUnknownThere = effect !== undefined && isRefusedWith(effect, 'not_found');
      const { state } = isUnknownThere ? await this.creators.reportMissing(loaded, context) : loaded;
      // Hidden from now on; the pause itself has been done.
      return isAccessible(state) ? state : assertAccessible(paused.state);
    });
  }
}
