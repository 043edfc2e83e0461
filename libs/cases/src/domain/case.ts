import { isDeepStrictEqual } from 'node:util';
import {
  type CaseId,
  type CreatorId,
  type Decider,
  derivedId,
  type Instant,
  isRecordedSince,
  type Reading,
  type ScanId,
  unknownEvent,
  type WorkspaceId,
} from '#kernel';

export interface NativeLeak extends Finding {
  readonly leakId: string;
  readonly jobId: string | null;
}

export interface Finding {
  readonly url: string;
  /** The platform's wording, in any language. */
  readonly status: string;
  readonly statusCode: string;
  readonly actionable: boolean | null;
  readonly deadOnArrival: boolean | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

interface About {
  readonly caseId: CaseId;
  readonly creatorId: CreatorId;
}

export type RecordedFinding = Omit<Finding, 'url'> & { readonly personal: { readonly url: string } };

type Fact<Type extends string, Data extends object> = { readonly type: `case.${Type}.v1`; readonly data: Data };

export type CaseEvent =
  | Fact<'opened', About & RecordedFinding & { workspaceId: WorkspaceId; leakId: string; scanId: ScanId | null }>
  | Fact<'changed', About & RecordedFinding>
  | Fact<'attributed', About & { scanId: ScanId }>
  | Fact<'removed', About>
  | Fact<'restored', About & RecordedFinding>;

export interface KnownCase {
  readonly status: 'known';
  readonly caseId: CaseId;
  readonly creatorId: CreatorId;
  readonly workspaceId: WorkspaceId;
  readonly leakId: string;
  readonly scanId: ScanId | null;
  readonly finding: Finding;
  readonly available: boolean;
  readonly recordedAt: Instant;
}

export type CaseState = { readonly status: 'unknown' } | KnownCase;

export const isKnownCase = (state: CaseState): state is KnownCase => state.status === 'known';

export const caseDecider: Decider<CaseState, CaseEvent> = {
  category: 'case',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => {
    if (event.type === 'case.opened.v1') {
      const { caseId, creatorId, workspaceId, leakId, scanId } = event.data;
      const about = { caseId, creatorId, workspaceId, leakId, scanId };
      return { status: 'known', ...about, finding: findingOf(event.data), available: true, recordedAt: at };
    }
    if (state.status === 'unknown') return state;
    const known = { ...state, recordedAt: at };
    switch (event.type) {
      case 'case.changed.v1':
        return { ...known, finding: findingOf(event.data) };
      case 'case.attributed.v1':
        return { ...known, scanId: event.data.scanId };
      case 'case.removed.v1':
        return { ...known, available: false };
      case 'case.restored.v1':
        return { ...known, finding: findingOf(event.data), available: true };
      default:
        return unknownEvent(event, state);
    }
  },
};

export interface Observation extends Pick<KnownCase, 'caseId' | 'creatorId' | 'workspaceId'> {
  readonly leak: NativeLeak;
  readonly scanId: ScanId | null;
  /** The walk that showed the leak. It cannot restore a case that was found removed after the walk began. */
  readonly reading: Reading;
}

/** D50: a case's id is derived from workspace, creator and leak. */
export const caseIdOf = (workspaceId: WorkspaceId, creatorId: CreatorId, leakId: string): CaseId =>
  derivedId('case', workspaceId, creatorId, leakId);

/** Returns nothing for a record that is known, or older than what is known (D50). */
export function observeLeak(state: CaseState, observation: Observation): CaseEvent[] {
  const { leak, scanId, workspaceId, caseId, creatorId, reading } = observation;
  const about = { caseId, creatorId };
  const recorded = record(leak);
  if (state.status === 'unknown') {
    const { leakId } = leak;
    return [{ type: 'case.opened.v1', data: { ...about, workspaceId, leakId, scanId, ...recorded } }];
  }
  const events: CaseEvent[] = [];
  if (leak.updatedAt >= state.finding.updatedAt) {
    const data = { ...about, ...recorded };
    if (state.available && !sameFinding(state.finding, leak)) events.push({ type: 'case.changed.v1', data });
    if (!state.available && !isRecordedSince(reading, state.recordedAt))
      events.push({ type: 'case.restored.v1', data });
  }
  if (scanId !== null && state.scanId === null) events.push({ type: 'case.attributed.v1', data: { ...about, scanId } });
  return events;
}

/** A complete walk did not show the record; the walk says nothing about what was recorded since it began (D50). */
export function observeRemoval(state: CaseState, walk: Reading): CaseEvent[] {
  if (state.status === 'unknown' || !state.available || isRecordedSince(walk, state.recordedAt)) return [];
  const { caseId, creatorId } = state;
  return [{ type: 'case.removed.v1', data: { caseId, creatorId } }];
}

export const sameFinding = (known: Finding, leak: NativeLeak): boolean => isDeepStrictEqual(known, pickFinding(leak));

const record = (leak: NativeLeak): RecordedFinding => {
  const { url, ...rest } = pickFinding(leak);
  return { ...rest, personal: { url } };
};

export const findingOf = (data: RecordedFinding): Finding => pickFinding({ ...data, url: data.personal.url });

const pickFinding = (record: Finding): Finding => {
  const { url, status, statusCode, actionable, deadOnArrival, createdAt, updatedAt } = record;
  return { url, status, statusCode, actionable, deadOnArrival, createdAt, updatedAt };
};
