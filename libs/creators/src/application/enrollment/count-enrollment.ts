import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CreatorId, WorkspaceId } from '#kernel';
import { countAgain, reasonOfRelease, release } from '../../domain/enrollment/roster-seats.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { RosterRepository } from '../access/roster.repository.js';

/**
 * Counts the creator among the enrollments of its workspace, or no more, as its present state says (D31). So a repeat
 * changes nothing, nor does an event that later ones have overtaken.
 */
export class CountEnrollment extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CountEnrollment)
export class CountEnrollmentHandler implements ICommandHandler<CountEnrollment> {
  constructor(
    private readonly creators: CreatorRepository,
    private readonly rosters: RosterRepository,
  ) {}

  async execute({ creatorId, workspaceId, context }: CountEnrollment): Promise<void> {
    const [creator, counted] = await Promise.all([this.creators.load(creatorId), this.rosters.load(workspaceId)]);
    const { state, revision } = creator;
    if (state.status === 'unknown') return;
    const reason = reasonOfRelease(state);
    await this.rosters.update(counted, context, (roster) =>
      reason === undefined ? countAgain(roster, creatorId) : release(roster, creatorId, reason, revision),
    );
  }
}
