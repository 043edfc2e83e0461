import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CreatorId } from '#kernel';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import { type AgencyScope, CreatorAccess } from '../access/creator-access.js';

/** Returns the creator as the platform shows it now. A command, because what the platform shows is recorded. */
export class ObserveCreator extends Command<EnrolledCreator> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ObserveCreator)
export class ObserveCreatorHandler implements ICommandHandler<ObserveCreator> {
  constructor(private readonly creators: CreatorAccess) {}

  async execute({ creatorId, scope, context }: ObserveCreator): Promise<EnrolledCreator> {
    const creator = await this.creators.ofWorkspace(creatorId, scope);
    return (await this.creators.observe(creator, context)).state;
  }
}
