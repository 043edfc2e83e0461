import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, deniedUntil } from '#agencies';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DAY,
  DomainError,
  DUE_GRACE,
  type DueOutcome,
  type Duration,
  type Instant,
  SECOND,
  type WorkspaceId,
} from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import { type EnrolledCreator, hasLeft } from '../../domain/creator.state.js';
import type { RosterAdmission } from '../../domain/enrollment/roster.events.js';
import { type FoundCreator, isFound, type LoadedCreator } from '../access/loaded-creator.js';
import { ObservedCreators } from '../access/observed-creators.js';
import { EnrollmentSettlement } from './enrollment-settlement.js';
import { UnbegunEnrollments } from './unbegun-enrollments.js';

const RETRY_DELAY: Duration = 5 * SECOND;

/** One step for each run of the job (D28, D30). Rejects with the platform's failure; the step is repeated then. */
export class AdvanceEnrollment extends Command<DueOutcome> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    /** Since when the step is due. */
    readonly dueAt: Instant,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(AdvanceEnrollment)
export class AdvanceEnrollmentHandler implements ICommandHandler<AdvanceEnrollment> {
  constructor(
    private readonly creators: ObservedCreators,
    private readonly unbegun: UnbegunEnrollments,
    private readonly settlement: EnrollmentSettlement,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
    private readonly options: CreatorsOptions,
  ) {}

  async execute(command: AdvanceEnrollment): Promise<DueOutcome> {
    const now = this.clock.now();
    const creator = await this.creators.recorded(command.creatorId);
    const admission = await this.unbegun.admissionOf(creator, command.workspaceId);
    const agencyId = isFound(creator) ? creator.state.agencyId : admission?.agencyId;
    if (agencyId === undefined) return 'idle';
    const denied = await deniedUntil(this.access, agencyId, now);
    if (denied !== undefined) return { retryAt: denied };
    const begun = admission === undefined ? creator : await this.begin(creator, admission, command, now);
    if (!isFound(begun)) return { retryAt: now + (this.isSecondAttempt(command, now) ? DAY : this.options.syncEvery) };
    // Nothing is asked or written for one that is no member; what is left to settle waits for its return (D43).
    if (hasLeft(begun.state)) return 'idle';
    // Missing: it is seen again, or its membership ends.
    if (begun.state.membership.status === 'missing') return { retryAt: now + this.options.syncEvery };
    const settledBy = this.callSettledBy(begun.state, command);
    return now < settledBy ? { retryAt: settledBy } : this.settle(begun, now, command.context);
  }

  /** An enrollment whose user has left releases its seat (D31), and begins when the user is back. */
  private async begin(
    creator: LoadedCreator,
    admission: RosterAdmission,
    command: AdvanceEnrollment,
    now: Instant,
  ): Promise<LoadedCreator> {
    const { creatorId, workspaceId, context } = command;
    const begun = await this.unbegun.begin(creator, admission, workspaceId, context);
    if (isFound(begun) || !this.isSecondAttempt(command, now)) return begun;
    return this.unbegun.releaseSeat(creatorId, workspaceId, context);
  }

  /** A single wrong 404 releases no seat. */
  private isSecondAttempt({ dueAt }: AdvanceEnrollment, now: Instant): boolean {
    return now >= dueAt + this.options.syncEvery;
  }

  /** A begun call may be under way for twice its timeout after its intent, and the step is due `DUE_GRACE` after that. */
  private callSettledBy({ enrollment }: EnrolledCreator, { dueAt }: AdvanceEnrollment): Instant {
    const { providerTimeout } = this.options;
    if (enrollment.status === 'uncertain') return dueAt + providerTimeout;
    const mayBeUnderWay = ['enrolling', 'failed', 'not_admitted'].includes(enrollment.status);
    return mayBeUnderWay ? dueAt + Math.max(0, 2 * providerTimeout - DUE_GRACE) : dueAt;
  }

  private async settle(creator: FoundCreator, now: Instant, context: CommandContext): Promise<DueOutcome> {
    const settled = await this.settlement.settle(creator, context).catch((error: unknown) => {
      // The platform knows no such member: that is no failure, of which three set the item aside (D67).
      if (error instanceof DomainError && error.code === 'not_found') return undefined;
      throw error;
    });
    if (settled === undefined) return { retryAt: now + this.options.syncEvery };
    if (!isFound(settled)) return 'idle';
    const { status } = settled.state.enrollment;
    if (status === 'uncertain' || status === 'enrolling') return { retryAt: now + RETRY_DELAY };
    const isFollowed = status === 'invited' || status === 'pending_onboarding';
    return isFollowed ? this.follow(settled, now, context) : 'idle';
  }

  private async follow(invited: FoundCreator, now: Instant, context: CommandContext): Promise<DueOutcome> {
    const { state } = await this.creators.refresh(invited, context);
    const isOnItsWay = state.status === 'known' && state.userId === null;
    return isOnItsWay ? { retryAt: now + this.options.syncEvery } : 'done';
  }
}
