import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { TaskCommand } from '#jobs';
import type { CreatorId, TaskOutcome } from '#kernel';
import { observeLapse } from '../../domain/membership/observation.js';
import { CreatorRepository } from '../access/creator.repository.js';

/** Records that the end of the creator's mandate has passed by the clock, once (D40). */
export class RecordAuthorizationLapse extends TaskCommand<CreatorId> {}

@CommandHandler(RecordAuthorizationLapse)
export class RecordAuthorizationLapseHandler implements ICommandHandler<RecordAuthorizationLapse> {
  constructor(private readonly repository: CreatorRepository) {}

  async execute({ subject: creatorId, context }: RecordAuthorizationLapse): Promise<TaskOutcome> {
    await this.repository.update(creatorId, context, observeLapse);
    return 'idle';
  }
}
