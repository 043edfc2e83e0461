import type { AgencyAccess } from '#agencies';
import {
  type Admission,
  type CreatorState,
  type Creators,
  type Enrollments,
  hasLeft,
  type RosterEvent,
} from '#creators';
import {
  type CommandContext,
  type CreatorId,
  type DueHandler,
  type DueOutcome,
  type Duration,
  type EventLog,
  type Instant,
  MINUTE,
  type RecordedEvent,
  SECOND,
  type StoredDueItem,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { deniedUntil } from './agency-gate.js';
import { dueContext } from './due-context.js';

const BETWEEN_TRIES: Duration = 5 * SECOND;
/** A creator that has left: no call is made to see whether it is back. */
const BETWEEN_LOOKS_FOR_LEFT: Duration = 15 * MINUTE;

/** Finishes enrollments: what a crash left, outcomes that nobody knows, invitations on their way, identities to write. */
export class EnrollmentSettling implements DueHandler {
  readonly kind = 'enrollment';
  readonly concurrency = 8;

  constructor(
    private readonly log: EventLog,
    private readonly creators: Creators,
    private readonly enrollments: Enrollments,
    private readonly access: AgencyAccess,
    /** How often an invitation on its way is looked at, in milliseconds. */
    private readonly pollEvery: Duration,
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const creatorId = item.subject as CreatorId;
    const context = dueContext(item);
    const begun = await this.ensureBegun(creatorId, item.workspaceId, context);
    if (begun.status === 'unknown') return { again: now + this.pollEvery };
    const denied = await deniedUntil(this.access, begun.agencyId, now);
    if (denied !== undefined) return { again: denied };
    // Nothing is asked or written for one that is no member; what is left to settle waits for its return (D43).
    if (begun.membership.status === 'erased') return 'moved_on';
    if (hasLeft(begun)) return { again: now + BETWEEN_LOOKS_FOR_LEFT };

    const settled = await this.enrollments.settle(creatorId, context);
    if (settled.status === 'unknown') return 'moved_on';
    const { status } = settled.enrollment;
    if (status === 'uncertain' || status === 'enrolling') return { again: now + BETWEEN_TRIES };
    if (status !== 'invited' && status !== 'pending_onboarding') return 'moved_on';
    const seen = await this.creators.refresh(settled, context, null);
    const isOnItsWay = seen.status === 'known' && seen.userId === null;
    return isOnItsWay ? { again: now + this.pollEvery } : 'moved_on';
  }

  /** The creator, whose own stream is begun, or brought up to its enrollment, where a crash came before that. */
  private async ensureBegun(
    creatorId: CreatorId,
    workspaceId: WorkspaceId,
    context: CommandContext,
  ): Promise<CreatorState> {
    const creator = await this.creators.load(creatorId);
    if (creator.status === 'known' && creator.enrollment.via !== 'import') return creator;
    const admission = await this.lastAdmission(creatorId, workspaceId);
    if (admission === undefined || (creator.status === 'known' && admission.via === 'import')) return creator;
    const { agencyId, epoch } = admission;
    return this.enrollments.begin(admission, { agencyId, workspaceId, epoch }, context);
  }

  /** Read from the roster's stream itself: its fold does not keep what was submitted. */
  private async lastAdmission(creatorId: CreatorId, workspaceId: WorkspaceId): Promise<Admission | undefined> {
    const stream = streamName('roster', workspaceId);
    for (let from: number | undefined; ; ) {
      const page = (await this.log.readStream(stream, {
        direction: 'backwards',
        limit: 500,
        ...(from !== undefined && { from }),
      })) as RecordedEvent<RosterEvent>[];
      for (const { type, data } of page) {
        const isAdmission = type === 'roster.creatorAdmitted.v1' || type === 'roster.externalIdReplaced.v1';
        if (isAdmission && data.creatorId === creatorId) return data as Admission;
      }
      const last = page.at(-1);
      if (last === undefined || last.revision === 0) return undefined;
      from = last.revision - 1;
    }
  }
}
