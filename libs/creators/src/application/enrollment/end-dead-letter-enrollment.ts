import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ClockWatch, endDeadLetter } from '#jobs';
import type { CommandContext, CreatorId, TaskOutcome, WorkspaceId } from '#kernel';
import { awaitsInvitation, recordOutcomeUnknown } from '../../domain/enrollment/enrollment.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { UnbegunEnrollments } from './unbegun-enrollments.js';

/** Ends an enrollment whose due work was set aside; one that never began gives its seat back (D87). */
export class EndDeadLetterEnrollment extends Command<TaskOutcome> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(EndDeadLetterEnrollment)
export class EndDeadLetterEnrollmentHandler implements ICommandHandler<EndDeadLetterEnrollment> {
  constructor(
    private readonly creators: CreatorRepository,
    private readonly unbegun: UnbegunEnrollments,
    private readonly clocks: ClockWatch,
  ) {}

  async execute({ creatorId, workspaceId, context }: EndDeadLetterEnrollment): Promise<TaskOutcome> {
    const outcome = await endDeadLetter(creatorId, context, {
      repository: this.creators,
      end: recordOutcomeUnknown,
      isUncertain: (state) => awaitsInvitation(state) && 'since' in state.enrollment,
      clocks: this.clocks,
    });
    if (outcome === 'idle') await this.unbegun.releaseSeat(creatorId, workspaceId, context);
    return outcome;
  }
}
