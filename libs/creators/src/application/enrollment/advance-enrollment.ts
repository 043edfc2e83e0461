import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import {
  advanceOutboundCall,
  ClockWatch,
  type CommandContext,
  type CreatorId,
  DAY,
  DomainError,
  DUE_GRACE,
  endDeadLetter,
  type Instant,
  type OutboundCallProtocol,
  type TaskOutcome,
  type WorkspaceId,
} from '#kernel';
import type { CreatorEvent } from '../../domain/creator.events.js';
import { type CreatorState, hasLeft } from '../../domain/creator.state.js';
import {
  awaitsInvitation,
  hasFailed,
  type Inviting,
  recordInvitation,
  recordNotSent,
  recordOutcomeUnknown,
} from '../../domain/enrollment/enrollment.js';
import type { RosterAdmission } from '../../domain/enrollment/roster.js';
import { hasIdentityToWrite } from '../../domain/membership/observation.js';
import type { NativeInvitation } from '../../domain/native-records.js';
import { CreatorAccess, withCreatorLease } from '../access/creator-access.js';
import { CreatorPorts, type FoundCreator, isFound, type LoadedCreator } from '../access/creator-ports.js';
import { writeSubmittedIdentity } from '../identity/submitted-identity.js';
import { beginEnrollment, incompleteAdmission, releaseSeat } from './incomplete-enrollments.js';
import { callToInvite } from './invite-creator.js';

/** One step per run of the task (D28, D30). Rejects with the platform's failure; then the step is repeated. */
export class AdvanceEnrollment extends Command<TaskOutcome> {
  constructor(
    readonly creatorId: CreatorId,
    readonly workspaceId: WorkspaceId,
    /** Since when the step is due. */
    readonly dueAt: Instant,
    readonly context: CommandContext,
    readonly isSetAside = false,
  ) {
    super();
  }
}

@CommandHandler(AdvanceEnrollment)
export class AdvanceEnrollmentHandler implements ICommandHandler<AdvanceEnrollment> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
    private readonly access: AgencyAccess,
    private readonly clocks: ClockWatch,
  ) {}

  async execute(command: AdvanceEnrollment): Promise<TaskOutcome> {
    const { clock, options } = this.ports;
    const now = clock.now();
    const creator = await this.creators.recorded(command.creatorId);
    if (command.isSetAside) return this.end(creator, command);
    const admission = await incompleteAdmission(this.ports, creator, command.workspaceId);
    const agencyId = isFound(creator) ? creator.state.agencyId : admission?.agencyId;
    if (agencyId === undefined) return 'idle';
    const denied = await this.access.deniedUntil(agencyId);
    if (denied !== undefined) return { retryAt: denied };
    const begun = admission === undefined ? creator : await this.begin(creator, admission, command, now);
    if (!isFound(begun)) return { retryAt: now + (this.isSecondAttempt(command, now) ? DAY : options.syncEvery) };
    // Nothing is requested or written for a user who is not a member; unsettled work waits for the user's return (D43).
    if (hasLeft(begun.state)) return 'idle';
    // Missing: it is seen again, or its membership ends.
    if (begun.state.membership.status === 'missing') return { retryAt: now + options.syncEvery };
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
    const begun = await beginEnrollment(this.ports, creator, admission, workspaceId, context);
    if (isFound(begun) || !this.isSecondAttempt(command, now)) return begun;
    return releaseSeat(this.ports, creatorId, workspaceId, context);
  }

  /** A single wrong 404 does not release a seat. */
  private isSecondAttempt({ dueAt }: AdvanceEnrollment, now: Instant): boolean {
    return now >= dueAt + this.ports.options.syncEvery;
  }

  private settle({ id }: FoundCreator, { dueAt, context }: AdvanceEnrollment): Promise<TaskOutcome> {
    const { repository, leases } = this.ports;
    return withCreatorLease(leases, id, async () => {
      // The last holder of the lease may have settled it.
      const creator = await repository.load(id);
      if (hasIdentityToWrite(creator.state)) return this.writeIdentity(creator, context);
      return advanceOutboundCall(repository, creator, context, this.clocks, undefined, this.invitationOf(dueAt));
    });
  }

  private async writeIdentity(creator: LoadedCreator, context: CommandContext): Promise<TaskOutcome> {
    try {
      await writeSubmittedIdentity(this.ports, this.creators, creator, context);
      return 'idle';
    } catch (error) {
      // The platform knows no such member. This is not a failure; three failures would set the item aside (D67).
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
      return { retryAt: this.ports.clock.now() + this.ports.options.syncEvery };
    }
  }

  /** The call that invites. A seat that was reserved for another attempt after a refusal makes the task due, too. */
  private invitationOf(
    dueAt: Instant,
  ): OutboundCallProtocol<CreatorState, Inviting, CreatorEvent, CreatorId, NativeInvitation> {
    const { platform, options } = this.ports;
    return {
      isConfigured: true,
      callTimeout: options.providerTimeout,
      outboundCallOf: (state) => {
        if (!awaitsInvitation(state)) return undefined;
        const calledAt = 'calledAt' in state.enrollment ? state.enrollment.calledAt : dueAt - DUE_GRACE;
        return { calledAt, isConfirmed: false };
      },
      isCalled: awaitsInvitation,
      // A refusal is final for a worker. Only the agency makes another attempt (D28).
      wanted: async ({ state }) => (hasFailed(state) ? 'no' : 'yes'),
      // The request recorded it, with everything that the invitation contains.
      intent: () => [],
      call: (state) => callToInvite(platform, state),
      lookUp: ({ agencyId, creatorId }) => platform.findInvitation(agencyId, creatorId),
      answered: (state, value) => recordInvitation(state, { outcome: 'done', value }),
      refused: (state, code) => recordInvitation(state, { outcome: 'refused', code }),
      unknown: recordOutcomeUnknown,
      cancel: recordNotSent,
      pollEvery: (state) => (hasFailed(state) ? undefined : options.providerTimeout),
    };
  }

  private async follow(creator: FoundCreator, now: Instant, context: CommandContext): Promise<TaskOutcome> {
    const { status } = creator.state.enrollment;
    if (status !== 'invited' && status !== 'pending_onboarding') return 'idle';
    const { state } = await this.creators.refresh(creator, context);
    return state.userId === null ? { retryAt: now + this.ports.options.syncEvery } : 'done';
  }

  /** One that was set aside: one that never began releases its seat (D87). */
  private async end(creator: LoadedCreator, { workspaceId, context }: AdvanceEnrollment): Promise<TaskOutcome> {
    const outcome = await endDeadLetter(creator, context, {
      repository: this.ports.repository,
      end: recordOutcomeUnknown,
      isUncertain: (state) => awaitsInvitation(state) && 'since' in state.enrollment,
      clocks: this.clocks,
    });
    if (outcome === 'idle') await releaseSeat(this.ports, creator.id, workspaceId, context);
    return outcome;
  }
}
