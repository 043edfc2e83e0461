import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CreatorId, DueOutcome } from '#kernel';
import { observeLapse } from '../../domain/membership/observation.js';
import { CreatorRepository } from '../access/creator.repository.js';

/** Records that the end of the creator's mandate has passed by the clock, once (D40). */
export class RecordAuthorizationLapse extends Command<DueOutcome> {
  constructor(
    readonly creatorId: CreatorId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RecordAuthorizationLapse)
export class RecordAuthorizationLapseHandler implements ICommandHandler<RecordAuthorizationLapse> {
  constructor(private readonly repository: CreatorRepository) {}

  async execute({ creatorId, context }: RecordAuthorizationLapse): Promise<DueOutcome> {
    await this.repository.update(creatorId, context, observeLapse);
    return 'idle';
  }
}
