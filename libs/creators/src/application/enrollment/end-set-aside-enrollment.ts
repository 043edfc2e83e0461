import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type CommandContext,
  type CreatorId,
  type DueOutcome,
  type Instant,
  ORDER_TIMEOUT,
  type WorkspaceId,
} from '#kernel';
import { endSetAsideEnrollment } from '../../domain/enrollment/enrollment.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { UnbegunEnrollments } from './unbegun-enrollments.js';

/** Ends an enrollment whose due work was set aside; one that never began gives its seat back (D87). */
export class EndSetAsideEnrollment extends Command<DueOutcome> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    readonly setAsideAt: Instant,
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

  async execute({ creatorId, workspaceId, setAsideAt, context }: EndSetAsideEnrollment): Promise<DueOutcome> {
    const { state, events } = await this.creators.update(creatorId, context, (creator, now) =>
      endSetAsideEnrollment(creator, setAsideAt, now),
    );
    if (events.length > 0) return 'done';
    if (state.status === 'unknown') await this.unbegun.releaseSeat(creatorId, workspaceId, context);
    const isUncertain = state.status === 'known' && state.enrollment.status === 'uncertain';
    return isUncertain ? { retryAt: setAsideAt + ORDER_TIMEOUT } : 'idle';
  }
}
