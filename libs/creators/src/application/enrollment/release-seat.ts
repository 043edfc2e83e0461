import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CreatorId, Revision, WorkspaceId } from '#kernel';
import type { SeatReleaseReason } from '../../domain/enrollment/roster.events.js';
import { release } from '../../domain/enrollment/roster-seats.js';
import { RosterRepository } from '../access/roster.repository.js';

/** Counts the creator no more among the enrollments of its workspace (D31). A repeat changes nothing. */
export class ReleaseSeat extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    readonly reason: SeatReleaseReason,
    /** That of the creator's event which releases the seat. */
    readonly revision: Revision,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReleaseSeat)
export class ReleaseSeatHandler implements ICommandHandler<ReleaseSeat> {
  constructor(private readonly rosters: RosterRepository) {}

  async execute({ creatorId, workspaceId, reason, revision, context }: ReleaseSeat): Promise<void> {
    await this.rosters.update(workspaceId, context, (roster) => release(roster, creatorId, reason, revision));
  }
}
