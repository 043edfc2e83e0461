import { isDeepStrictEqual } from 'node:util';
import {
  type CaseEvent,
  caseDecider,
  type ImpersonationEvent,
  type ImpersonationState,
  impersonationDecider,
  publicCase,
  publicImpersonation,
} from '#cases';
import { type CreatorEvent, type CreatorState, creatorDecider, fullPublicCreator } from '#creators';
import { type DeindexRequest, type DeindexRequestEvent, deindexRequestDecider } from '#deindexing';
import type { EventLog, Folded, Instant, RecordedEvent } from '#kernel';
import type { Announcement } from '#publishing';
import type { ScanEvent } from '#scans';
import { StateAt } from './state-at.js';

export type AnnouncedEvent = CreatorEvent | CaseEvent | ImpersonationEvent | ScanEvent | DeindexRequestEvent;

const PROTECTION_SCOPE = 'api_scan_schedule';

/** What agencies are told because of an event of the log. The same event always gives the same announcements. */
export class Announcements {
  private readonly creators: StateAt<CreatorState, CreatorEvent>;
  private readonly cases;
  private readonly impersonations: StateAt<ImpersonationState, ImpersonationEvent>;
  private readonly deindexRequests: StateAt<DeindexRequest, DeindexRequestEvent>;

  constructor(
    log: EventLog,
    private readonly faviconTemplate: string | undefined,
  ) {
    this.creators = new StateAt(log, creatorDecider);
    this.cases = new StateAt(log, caseDecider);
    this.impersonations = new StateAt(log, impersonationDecider);
    this.deindexRequests = new StateAt(log, deindexRequestDecider);
  }

  async of(event: RecordedEvent<AnnouncedEvent>): Promise<Announcement[]> {
    if (isAbout('creator', event)) return this.ofCreator(event);
    if (isAbout('case', event)) return this.ofCase(event);
    if (isAbout('impersonation', event)) return this.ofImpersonation(event);
    if (isAbout('deindexRequest', event)) return this.ofDeindexRequest(event);
    return ofScan(event);
  }

  private async ofCreator(event: RecordedEvent<CreatorEvent>): Promise<Announcement[]> {
    const { before, after } = await this.creators.step(event);
    if (after.state.status === 'unknown') return [];
    const { creatorId } = after.state;
    const announcements: Announcement[] = [];
    const shown = shownState(after, event.metadata.at);
    // D43: while it is missing, or no member, nobody is told of it.
    const isCurrent = after.state.membership.status === 'current';
    const isBack = event.type === 'creator.found.v1' || event.type === 'creator.returned.v1';
    const told = isBack ? await this.shownBeforeMissing(event) : shownState(before, before.at);
    if (isCurrent && shown !== undefined && changed(told, shown)) {
      announcements.push({ type: 'creator.updated', creatorId, data: { creator: shown } });
    }
    if (event.type === 'creator.protectionActivated.v1') {
      const data = { status: 'active', scope: PROTECTION_SCOPE, reason: event.data.reason };
      announcements.push({ type: 'protection.activated', creatorId, data });
    }
    if (event.type === 'creator.protectionPaused.v1') {
      const data = { status: 'paused', scope: PROTECTION_SCOPE, reason: event.data.reason };
      announcements.push({ type: 'protection.paused', creatorId, data });
    }
    return announcements;
  }

  /** What was recorded while the creator was missing is told when it is back, against what was shown before (D40). */
  private async shownBeforeMissing({ stream, revision }: RecordedEvent<CreatorEvent>) {
    let shown: ReturnType<typeof shownState>;
    for await (const { before, after } of this.creators.history(stream, revision)) {
      if (after.state.status !== 'known' || after.state.membership.status === 'current') continue;
      if (before.state.status === 'known' && before.state.membership.status === 'current') {
        shown = shownState(before, before.at);
      }
    }
    return shown;
  }

  private async ofCase(event: RecordedEvent<CaseEvent>): Promise<Announcement[]> {
    const { after } = await this.cases.step(event);
    if (after.state.status === 'unknown') return [];
    const { creatorId } = after.state;
    const shown = publicCase(after.state, this.faviconTemplate);
    const about = { case_id: shown.id };
    if (event.type === 'case.removed.v1') return [{ type: 'case.deleted', creatorId, data: about }];
    const type = event.type === 'case.opened.v1' ? 'case.created' : 'case.updated';
    const scan = shown.scan_id === null ? {} : { scan_id: shown.scan_id };
    return [{ type, creatorId, data: { ...about, ...scan, status: shown.status, case: shown } }];
  }

  private async ofImpersonation(event: RecordedEvent<ImpersonationEvent>): Promise<Announcement[]> {
    const { after } = await this.impersonations.step(event);
    if (after.state.status === 'unknown') return [];
    const { creatorId } = after.state;
    const shown = publicImpersonation(after.state);
    const about = { impersonation_id: shown.id };
    if (event.type === 'impersonation.removed.v1') return [{ type: 'impersonation.deleted', creatorId, data: about }];
    const type = event.type === 'impersonation.opened.v1' ? 'impersonation.created' : 'impersonation.updated';
    return [{ type, creatorId, data: { ...about, status: shown.status, impersonation: shown } }];
  }

  /** D51: a change of a flag alone is a change of status too; the request itself is none. */
  private async ofDeindexRequest(event: RecordedEvent<DeindexRequestEvent>): Promise<Announcement[]> {
    const { before, after } = await this.deindexRequests.step(event);
    const [known, shown] = [deindexStatus(before.state), deindexStatus(after.state)];
    if (known === undefined || isDeepStrictEqual(known, shown)) return [];
    const { requestId, caseId, creatorId } = event.data;
    const data = { deindex_request_id: requestId, case_id: caseId, ...shown };
    return [{ type: 'deindex.status_changed', creatorId, data }];
  }
}

/** What agencies are told of a deindex request. */
const deindexStatus = (request: DeindexRequest) => {
  if (request.status === 'unknown') return undefined;
  const { status, submittedToProvider, removalVerified } = request;
  return { status, submitted_to_provider: submittedToProvider, removal_verified: removalVerified };
};

const ofScan = (event: RecordedEvent<ScanEvent>): Announcement[] => {
  if (event.type !== 'scan.completed.v1' && event.type !== 'scan.failed.v1') return [];
  const { scanId, creatorId, jobId, errorCode } = event.data;
  const about = { scan_id: scanId, ...(jobId !== null && { svc_job_id: jobId }) };
  if (event.type === 'scan.completed.v1') return [{ type: 'scan.completed', creatorId, data: about }];
  const reason = errorCode === null ? {} : { reason: errorCode };
  return [{ type: 'scan.failed', creatorId, data: { ...about, status: 'failed', ...reason } }];
};

/**
 * The creator as it can be shown, whether or not it is missing just now; undefined while its enrollment is only an
 * intent, or its native record has not been seen.
 */
const shownState = ({ state }: Folded<CreatorState>, at: Instant) => {
  if (state.status === 'unknown') return undefined;
  const { status } = state.enrollment;
  if (status === 'enrolling' || status === 'not_admitted') return undefined;
  if (state.userId !== null && state.standing === null) return undefined;
  return fullPublicCreator({ ...state, membership: { status: 'current' } }, at);
};

/** D40: a change of protection alone is none. */
const changed = (before: ReturnType<typeof shownState>, after: object): boolean =>
  withoutProtection(before ?? {}) !== withoutProtection(after);

const withoutProtection = (creator: object): string => JSON.stringify({ ...creator, protection_status: null });

const isAbout = <Category extends 'creator' | 'case' | 'impersonation' | 'deindexRequest'>(
  category: Category,
  event: RecordedEvent<AnnouncedEvent>,
): event is RecordedEvent<Extract<AnnouncedEvent, { type: `${Category}.${string}` }>> =>
  event.type.startsWith(`${category}.`);
