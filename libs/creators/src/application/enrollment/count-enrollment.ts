import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CreatorId, Revision, WorkspaceId } from '#kernel';
import type { SeatReleaseReason } from '../../domain/enrollment/roster.events.js';
import { countAgain, release } from '../../domain/enrollment/roster-seats.js';
import { RosterRepository } from '../access/roster.repository.js';

/** Counts the creator no more among the enrollments of its workspace, or again (D31). A repeat changes nothing. */
export class CountEnrollment extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    /** By which event of the creator its seat is released; undefined where the creator counts again. */
    readonly released: { readonly reason: SeatReleaseReason; readonly revision: Revision } | undefined,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CountEnrollment)
export class CountEnrollmentHandler implements ICommandHandler<CountEnrollment> {
  constructor(private readonly rosters: RosterRepository) {}

  async execute({ creatorId, workspaceId, released, context }: CountEnrollment): Promise<void> {
    await this.rosters.update(workspaceId, context, (roster) =>
      released === undefined
        ? countAgain(roster, creatorId)
        : release(roster, creatorId, released.reason, released.revision),
    );
  }
}
