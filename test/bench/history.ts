import { type CaseEvent, type CaseState, caseDecider, caseIdOf, type KnownCase, publicCase } from '#cases';
import {
  type AgencyId,
  agencyId,
  type CreatorId,
  derivedId,
  derivedUuid,
  type EventLog,
  type Instant,
  type ScanId,
  type UserId,
  type WorkspaceId,
} from '#kernel';
import type { ScanEvent } from '#scans';
import { History } from './history-log.js';

/** A year and more of a service: creators that are scanned every day, what is found, and which events agencies get. */

const WORKSPACES = 20;
const CREATORS = 1_000;
/** Creators whose scans run at the same time. */
const TOGETHER = 100;
const EVENTS_OF_LEAVING = 3;
const BEGAN: Instant = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

interface Creator {
  readonly creatorId: CreatorId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
  readonly name: string;
  readonly cases: KnownCase[];
}

/**
 * Appends at least this many events and returns how many it appended. At the end every creator has left, so that no
 * work remains.
 */
export const fillWithHistory = async (log: EventLog, events: number): Promise<number> => {
  const history = new History(log);
  const creators = Array.from({ length: CREATORS }, (_, n) => creatorOf(n));
  for (const creator of creators) enroll(history, creator);
  await history.flush();
  for (let day = 0; history.recorded < events - CREATORS * EVENTS_OF_LEAVING; day++) {
    for (
      let first = 0;
      first < CREATORS && history.recorded < events - CREATORS * EVENTS_OF_LEAVING;
      first += TOGETHER
    ) {
      await dayOf(history, creators.slice(first, first + TOGETHER), day, BEGAN + (day + 1) * DAY + first * MINUTE);
    }
  }
  const end = BEGAN + 1_000 * DAY;
  for (const creator of creators) leave(history, creator, end);
  await history.flush();
  return history.recorded;
};

const creatorOf = (n: number): Creator => {
  const agency = agencyId(`agency_history_${n % WORKSPACES}`);
  return {
    creatorId: derivedId('creator', 'history', n),
    agencyId: agency,
    workspaceId: derivedId('workspace', agency),
    userId: derivedUuid('history', n) as UserId,
    name: `Jane Example ${n}`,
    cases: [],
  };
};

const enroll = (history: History, creator: Creator): void => {
  const { creatorId, agencyId, workspaceId, userId, name } = creator;
  const identity = {
    displayName: name,
    aliases: [`${name} official`],
    profiles: [{ platform: 'instagram', username: name.toLowerCase().replaceAll(' ', '_'), profileId: null }],
  };
  const externalId = `external-${creatorId}`;
  const at = BEGAN;
  history.record('roster', workspaceId, workspaceId, at, [
    {
      type: 'roster.creatorAdmitted.v1',
      data: {
        creatorId,
        agencyId,
        epoch: 1,
        via: 'link',
        userId,
        personal: { externalId, fingerprint: 'f'.repeat(64), submitted: { identity, invitee: null } },
      },
    },
  ]);
  const standing = {
    onboardingComplete: true,
    authorization: { approved: true, status: 'approved', expiresAt: null },
    entitlement: { active: true, source: 'agency' },
  };
  const enrolled = { creatorId, workspaceId, agencyId, epoch: 1, userId };
  history.record('creator', creatorId, workspaceId, at, [
    { type: 'creator.enrolledByLink.v1', data: { ...enrolled, personal: { externalId, identity } } },
    { type: 'creator.identityWritten.v1', data: {} },
    { type: 'creator.standingObserved.v1', data: standing },
    { type: 'creator.activationRequested.v1', data: { activationId: 'a1' } },
  ]);
  const activated = history.record('creator', creatorId, workspaceId, at, [
    { type: 'creator.protectionActivated.v1', data: { activationId: 'a1', reason: 'api_request' } },
  ]);
  const data = { status: 'active', scope: 'api_scan_schedule', reason: 'api_request' };
  history.announce(workspaceId, at, activated, { type: 'protection.activated', creatorId, data });
};

/** The scans of some creators, side by side, with what they find, and what has become of earlier findings. */
const dayOf = async (history: History, creators: readonly Creator[], day: number, at: Instant): Promise<void> => {
  const scans = creators.map((creator, n) => ({
    creator,
    number: day * CREATORS + n,
    scanId: derivedId('scan', creator.creatorId, 'scheduled', day),
    jobId: `job_${derivedUuid(creator.creatorId, day)}`,
  }));
  for (const { creator, scanId } of scans) {
    const { creatorId, agencyId, workspaceId } = creator;
    const admission = { scanId, creatorId, agencyId, source: 'scheduled' } as const;
    history.record('scanAllowance', creatorId, workspaceId, at, [
      { type: 'scanAllowance.scanAdmitted.v1', data: admission },
    ]);
    history.record('scan', scanId, workspaceId, at, [{ type: 'scan.queued.v1', data: { ...admission, workspaceId } }]);
  }
  for (const { creator, scanId, jobId } of scans) {
    const { creatorId, workspaceId, name } = creator;
    const about = { scanId, creatorId };
    const username = name.toLowerCase().replaceAll(' ', '_');
    const personal = { handles: [{ platform: 'instagram', username, variants: [`${username}_official`] }] };
    const steps: readonly ScanEvent[] = [
      { type: 'scan.dispatchStarted.v1', data: { ...about, personal } },
      { type: 'scan.accepted.v1', data: { ...about, jobId } },
      { type: 'scan.started.v1', data: { ...about, jobId } },
    ];
    for (const step of steps) history.record('scan', scanId, workspaceId, at + 1, [step]);
  }
  for (const { creator, scanId, number } of scans) followCases(history, creator, scanId, number, at + MINUTE);
  for (const { creator, scanId, jobId } of scans) {
    const { creatorId, workspaceId } = creator;
    const finishedAt = at + 2 * MINUTE;
    const completed = history.record('scan', scanId, workspaceId, finishedAt, [
      { type: 'scan.completed.v1', data: { scanId, creatorId, jobId, finishedAt, errorCode: null } },
    ]);
    history.record('scanAllowance', creatorId, workspaceId, finishedAt, [
      { type: 'scanAllowance.scanReleased.v1', data: { scanId, creatorId, outcome: 'ended' } },
    ]);
    const data = { scan_id: scanId, svc_job_id: jobId };
    history.announce(workspaceId, finishedAt, completed, { type: 'scan.completed', creatorId, data });
  }
  await history.publish();
};

/** One new finding a scan on average, each of which changes once on average; a fifth of them vanish in the end. */
const followCases = (history: History, creator: Creator, scanId: ScanId, number: number, at: Instant): void => {
  for (let n = number % 3; n > 0; n--) {
    const leakId = `leak_${derivedUuid(scanId, n)}`;
    const personal = { url: `https://forum.example.com/threads/${leakId}/page-${n}` };
    const { creatorId, workspaceId } = creator;
    const caseId = caseIdOf(workspaceId, creatorId, leakId);
    const finding = { status: 'Detected', statusCode: 'detected', actionable: true, deadOnArrival: false };
    const data = { caseId, creatorId, workspaceId, leakId, scanId, ...finding, createdAt: at, updatedAt: at, personal };
    observe(history, creator, undefined, { type: 'case.opened.v1', data }, at);
  }
  const [earlier] = number % 3 === 0 ? [] : creator.cases.splice(0, 1);
  if (earlier === undefined) return;
  const about = { caseId: earlier.caseId, creatorId: earlier.creatorId };
  if (number % 5 === 0) {
    observe(history, creator, earlier, { type: 'case.removed.v1', data: about }, at);
    return;
  }
  const { url, ...finding } = earlier.finding;
  const notice = { ...finding, status: 'Notice sent', statusCode: 'notice_sent', updatedAt: at, personal: { url } };
  observe(history, creator, earlier, { type: 'case.changed.v1', data: { ...about, ...notice } }, at);
};

const observe = (history: History, creator: Creator, before: KnownCase | undefined, event: CaseEvent, at: Instant) => {
  const { creatorId, workspaceId } = creator;
  const initial: CaseState = before ?? { status: 'unknown' };
  const after = caseDecider.evolve(initial, event, at);
  if (after.status === 'unknown') return;
  const cause = history.record('case', after.caseId, workspaceId, at, [event], 'process:cases');
  const shown = publicCase(after, 'https://icons.example.com/{domain}.ico');
  const about = { case_id: shown.id };
  if (event.type === 'case.removed.v1') {
    history.announce(workspaceId, at, cause, { type: 'case.deleted', creatorId, data: about });
    return;
  }
  creator.cases.push(after);
  const type = event.type === 'case.opened.v1' ? 'case.created' : 'case.updated';
  const data = { ...about, scan_id: shown.scan_id, status: shown.status, case: shown };
  history.announce(workspaceId, at, cause, { type, creatorId, data });
};

const leave = (history: History, { creatorId, workspaceId }: Creator, at: Instant): void => {
  history.record('creator', creatorId, workspaceId, at, [
    { type: 'creator.membershipEnded.v1', data: {} },
    { type: 'creator.protectionPaused.v1', data: { reason: 'membership_ended' } },
    { type: 'creator.slotReleased.v1', data: {} },
  ]);
};
