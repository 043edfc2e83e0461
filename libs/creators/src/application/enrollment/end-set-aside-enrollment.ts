import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, type CreatorId, type DueOutcome, ORDER_TIMEOUT, type WorkspaceId } from '#kernel';
import { recordOutcomeUnknown } from '../../domain/enrollment/enrollment.js';
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
  ) {}

  async execute({ creatorId, workspaceId, context }: EndSetAsideEnrollment): Promise<DueOutcome> {
    const { state, events } = await this.creators.update(creatorId, context, recordOutcomeUnknown);
    if (events.length > 0) return 'done';
    if (state.status === 'unknown') await this.unbegun.releaseSeat(creatorId, workspaceId, context);
    const isUncertain = state.status === 'known' && 'since' in state.enrollment;
    return isUncertain ? { retryAt: state.enrollment.since + ORDER_TIMEOUT } : 'idle';
  }
}
