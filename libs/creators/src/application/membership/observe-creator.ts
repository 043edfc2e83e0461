import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import { CreatorCommand } from '../access/creator-command.js';
import { ObservedCreators } from '../access/observed-creators.js';

/** Returns the creator as the platform shows it now. A command, because what the platform shows is recorded. */
export class ObserveCreator extends CreatorCommand {}

@CommandHandler(ObserveCreator)
export class ObserveCreatorHandler implements ICommandHandler<ObserveCreator> {
  constructor(private readonly creators: ObservedCreators) {}

  async execute({ creatorId, scope, context }: ObserveCreator): Promise<EnrolledCreator> {
    const creator = await this.creators.ofWorkspace(creatorId, scope);
    return (await this.creators.current(creator, context)).state;
  }
}
