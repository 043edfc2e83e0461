import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { Leases } from '#jobs';
import {
  advanceOrder,
  Clock,
  type CommandContext,
  type CreatorId,
  DAY,
  DomainError,
  type Instant,
  type TaskOutcome,
  type WorkspaceId,
} from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import { hasLeft } from '../../domain/creator.state.js';
import { awaitsInvitation } from '../../domain/enrollment/enrollment.js';
import type { RosterAdmission } from '../../domain/enrollment/roster.events.js';
import { hasIdentityToWrite } from '../../domain/membership/identity-writes.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { withCreatorLease } from '../access/creator-lease.js';
import { type FoundCreator, isFound, type LoadedCreator } from '../access/loaded-creator.js';
import { ObservedCreators } from '../access/observed-creators.js';
import { InvitationOrders } from './invitation-orders.js';
import { SubmittedIdentityWriter } from './submitted-identity-writer.js';
import { UnbegunEnrollments } from './unbegun-enrollments.js';

/** One step for each run of the job (D28, D30). Rejects with the platform's failure; the step is repeated then. */
export class AdvanceEnrollment extends Command<TaskOutcome> {
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
    private readonly repository: CreatorRepository,
    private readonly creators: ObservedCreators,
    private readonly unbegun: UnbegunEnrollments,
    private readonly identities: SubmittedIdentityWriter,
    private readonly invitations: InvitationOrders,
    private readonly access: AgencyAccess,
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly options: CreatorsOptions,
  ) {}

  async execute(command: AdvanceEnrollment): Promise<TaskOutcome> {
    const now = this.clock.now();
    const creator = await this.creators.recorded(command.creatorId);
    const admission = await this.unbegun.admissionOf(creator, command.workspaceId);
    const agencyId = isFound(creator) ? creator.state.agencyId : admission?.agencyId;
    if (agencyId === undefined) return 'idle';
    const denied = await this.access.deniedUntil(agencyId);
    if (denied !== undefined) return { retryAt: denied };
    const begun = admission === undefined ? creator : await this.begin(creator, admission, command, now);
    if (!isFound(begun)) return { retryAt: now + (this.isSecondAttempt(command, now) ? DAY : this.options.syncEvery) };
    // Nothing is asked or written for one that is no member; what is left to settle waits for its return (D43).
    if (hasLeft(begun.state)) return 'idle';
    // Missing: it is seen again, or its membership ends.
    if (begun.state.membership.status === 'missing') return { retryAt: now + this.options.syncEvery };
    const isUnsettled = hasIdentityToWrite(begun.state) || awaitsInvitation(begun.state);
    return isUnsettled ? this.settle(begun, command) : this.follow(begun, now, command.context);
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

  private settle({ id }: FoundCreator, { dueAt, context }: AdvanceEnrollment): Promise<TaskOutcome> {
    return withCreatorLease(this.leases, id, async () => {
      // The last holder of the lease may have settled it.
      const creator = await this.repository.load(id);
      if (hasIdentityToWrite(creator.state)) return this.writeIdentity(creator, context);
      const order = this.invitations.of(creator, dueAt);
      return advanceOrder(this.repository, creator, context, this.clock, undefined, order);
    });
  }

  private async writeIdentity(creator: LoadedCreator, context: CommandContext): Promise<TaskOutcome> {
    try {
      await this.identities.write(creator, context);
      return 'idle';
    } catch (error) {
      // The platform knows no such member: that is no failure, of which three set the item aside (D67).
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
      return { retryAt: this.clock.now() + this.options.syncEvery };
    }
  }

  private async follow(creator: FoundCreator, now: Instant, context: CommandContext): Promise<TaskOutcome> {
    const { status } = creator.state.enrollment;
    if (status !== 'invited' && status !== 'pending_onboarding') return 'idle';
    const { state } = await this.creators.refresh(creator, context);
    return state.userId === null ? { retryAt: now + this.options.syncEvery } : 'done';
  }
}
