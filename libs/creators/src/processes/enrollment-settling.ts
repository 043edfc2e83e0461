import { Injectable } from '@nestjs/common';
import { AgencyAccess, deniedUntil } from '#agencies';
import { dueContext } from '#jobs';
import {
  type CommandContext,
  type CreatorId,
  DAY,
  DomainError,
  DUE_GRACE,
  type DueHandler,
  type DueOutcome,
  type Duration,
  EventLog,
  type Instant,
  type RecordedEvent,
  SECOND,
  type StoredDueItem,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { isFound, type LoadedCreator } from '../application/creator.repository.js';
import { CreatorAccess } from '../application/creator-access.js';
import { EnrollmentSettlement } from '../application/enrollment-settlement.js';
import { CreatorsOptions } from '../creators.options.js';
import { type CreatorState, type EnrolledCreator, hasLeft } from '../domain/creator.state.js';
import type { RosterAdmission, RosterEvent } from '../domain/enrollment/roster.events.js';

const BETWEEN_TRIES: Duration = 5 * SECOND;
/** Events of one read of the roster. That many of the largest ones take some tens of megabytes. */
const PAGE = 100;

/** Finishes enrollments: what a crash left, outcomes that nobody knows, invitations on their way, identities to write. */
@Injectable()
export class EnrollmentSettling implements DueHandler {
  readonly kind = 'enrollment';
  readonly concurrency = 8;

  constructor(
    private readonly log: EventLog,
    private readonly creators: CreatorAccess,
    private readonly settlement: EnrollmentSettlement,
    private readonly access: AgencyAccess,
    private readonly options: CreatorsOptions,
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const creatorId = item.subject as CreatorId;
    const context = dueContext(item);
    const creator = await this.creators.find(creatorId);
    const admission = await this.admissionToBegin(creator.state, creatorId, item.workspaceId);
    const agencyId = isFound(creator) ? creator.state.agencyId : admission?.agencyId;
    if (agencyId === undefined) return 'idle';
    const denied = await deniedUntil(this.access, agencyId, now);
    if (denied !== undefined) return { retryAt: denied };
    const begun = admission === undefined ? creator : await this.begin(creator, admission, item, now, context);
    if (!isFound(begun)) {
      return { retryAt: now + (this.isSecondLook(item, now) ? DAY : this.options.syncEvery) };
    }
    // Nothing is asked or written for one that is no member; what is left to settle waits for its return (D43).
    if (hasLeft(begun.state)) return 'idle';
    // Missing: it is seen again, or its membership ends.
    if (begun.state.membership.status === 'missing') return { retryAt: now + this.options.syncEvery };

    const settledBy = this.callSettledBy(begun.state, item);
    if (now < settledBy) return { retryAt: settledBy };

    const settled = await this.settle(begun, context);
    if (settled === undefined) return { retryAt: now + this.options.syncEvery };
    if (!isFound(settled)) return 'idle';
    const { status } = settled.state.enrollment;
    if (status === 'uncertain' || status === 'enrolling') return { retryAt: now + BETWEEN_TRIES };
    if (status !== 'invited' && status !== 'pending_onboarding') return 'idle';
    const { state: seen } = await this.creators.refresh(settled, context, null);
    const isOnItsWay = seen.status === 'known' && seen.userId === null;
    return isOnItsWay ? { retryAt: now + this.options.syncEvery } : 'done';
  }

  /** Undefined where the platform knows no such member: that is no failure, of which three set the item aside (D67). */
  private async settle(creator: LoadedCreator, context: CommandContext): Promise<LoadedCreator | undefined> {
    try {
      return await this.settlement.settle(creator, context);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /**
   * The call that was begun may still be under way for twice its timeout after its intent. The item is due `DUE_GRACE` after
   * that, and a moment after an outcome was recorded as unknown, which is when the first timeout has passed. Where an
   * enrollment has its outcome, no call of it is under way.
   */
  private callSettledBy({ enrollment }: EnrolledCreator, { dueAt }: StoredDueItem): Instant {
    const { providerTimeout } = this.options;
    if (enrollment.status === 'uncertain') return dueAt + providerTimeout;
    const mayBeUnderWay = ['enrolling', 'failed', 'not_admitted'].includes(enrollment.status);
    return mayBeUnderWay ? dueAt + Math.max(0, 2 * providerTimeout - DUE_GRACE) : dueAt;
  }

  /** Where a crash came before the creator's own stream was begun, or brought up to its enrollment. */
  private async admissionToBegin(
    creator: CreatorState,
    creatorId: CreatorId,
    workspaceId: WorkspaceId,
  ): Promise<RosterAdmission | undefined> {
    if (creator.status === 'known' && creator.enrollment.via !== 'import') return undefined;
    const admission = await this.lastAdmission(creatorId, workspaceId);
    return creator.status === 'known' && admission?.via === 'import' ? undefined : admission;
  }

  /** One whose user has left keeps no place under the cap (D31), and is begun when the user is back. */
  private async begin(
    creator: LoadedCreator,
    admission: RosterAdmission,
    item: StoredDueItem,
    now: Instant,
    context: CommandContext,
  ): Promise<LoadedCreator> {
    const { agencyId, epoch } = admission;
    const scope = { agencyId, workspaceId: item.workspaceId, epoch };
    const begun = await this.settlement.begin(creator, admission, scope, context);
    if (isFound(begun) || !this.isSecondLook(item, now)) return begun;
    return this.settlement.releaseUnbegun(admission, scope, context);
  }

  /** A single wrong 404 gives no place back. */
  private isSecondLook({ dueAt }: StoredDueItem, now: Instant): boolean {
    return now >= dueAt + this.options.syncEvery;
  }

  /** Read from the roster's stream itself: its fold does not keep what was submitted. */
  private async lastAdmission(creatorId: CreatorId, workspaceId: WorkspaceId): Promise<RosterAdmission | undefined> {
    const stream = streamName('roster', workspaceId);
    for (let from: number | undefined; ; ) {
      const page = (await this.log.readStream(stream, {
        direction: 'backwards',
        limit: PAGE,
        ...(from !== undefined && { from }),
      })) as RecordedEvent<RosterEvent>[];
      for (const { type, data } of page) {
        const isAdmission = type === 'roster.creatorAdmitted.v1' || type === 'roster.externalIdReplaced.v1';
        if (isAdmission && data.creatorId === creatorId) return data as RosterAdmission;
      }
      const last = page.at(-1);
      if (last === undefined || last.revision === 0) return undefined;
      from = last.revision - 1;
    }
  }
}
