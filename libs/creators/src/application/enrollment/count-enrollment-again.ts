import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CreatorId, WorkspaceId } from '#kernel';
import { countAgain } from '../../domain/enrollment/roster-seats.js';
import { RosterRepository } from '../access/roster.repository.js';

/** Counts a creator again whose seat was released, if it had been enrolled (D31). A repeat changes nothing. */
export class CountEnrollmentAgain extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CountEnrollmentAgain)
export class CountEnrollmentAgainHandler implements ICommandHandler<CountEnrollmentAgain> {
  constructor(private readonly rosters: RosterRepository) {}

  async execute({ creatorId, workspaceId, context }: CountEnrollmentAgain): Promise<void> {
    await this.rosters.update(workspaceId, context, (roster) => countAgain(roster, creatorId));
  }
}
