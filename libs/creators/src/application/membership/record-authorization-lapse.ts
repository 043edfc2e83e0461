import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DueCommand } from '#jobs';
import type { CreatorId, DueOutcome } from '#kernel';
import { observeLapse } from '../../domain/membership/observation.js';
import { CreatorRepository } from '../access/creator.repository.js';

/** Records that the end of the creator's mandate has passed by the clock, once (D40). */
export class RecordAuthorizationLapse extends DueCommand<CreatorId> {}

@CommandHandler(RecordAuthorizationLapse)
export class RecordAuthorizationLapseHandler implements ICommandHandler<RecordAuthorizationLapse> {
  constructor(private readonly repository: CreatorRepository) {}

  async execute({ subject: creatorId, context }: RecordAuthorizationLapse): Promise<DueOutcome> {
    await this.repository.update(creatorId, context, observeLapse);
    return 'idle';
  }
}
