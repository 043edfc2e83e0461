import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ClockWatch, endSetAside } from '#jobs';
import type { CommandContext, CreatorId, DueOutcome, WorkspaceId } from '#kernel';
import { awaitsInvitation, recordOutcomeUnknown } from '../../domain/enrollment/enrollment.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { UnbegunEnrollments } from './unbegun-enrollments.js';

/** Ends an enrollment whose due work was set aside; one that never began gives its seat back (D87). */
export class EndSetAsideEnrollment extends Command<DueOutcome> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(EndSetAsideEnrollment)
export class EndSetAsideEnrollmentHandler implements ICommandHandler<EndSetAsideEnrollment> {
  constructor(
    private readonly creators: CreatorRepository,
    private readonly unbegun: UnbegunEnrollments,
    private readonly clocks: ClockWatch,
  ) {}

  async execute({ creatorId, workspaceId, context }: EndSetAsideEnrollment): Promise<DueOutcome> {
    const outcome = await endSetAside(creatorId, context, {
      repository: this.creators,
      end: recordOutcomeUnknown,
      isUncertain: (state) => awaitsInvitation(state) && 'since' in state.enrollment,
      clocks: this.clocks,
    });
    if (outcome === 'idle') await this.unbegun.releaseSeat(creatorId, workspaceId, context);
    return outcome;
  }
}
