import { agencyId, derivedId, type Instant } from '#kernel';
import { at, given, type Past } from '#testing';
import type { ScanEvent, ScanHandle, ScanJob } from './scan.events.js';
import { scanDecider } from './scan.js';

export const about = { scanId: derivedId('scan', 'one'), creatorId: derivedId('creator', 'mia') };

const agency = agencyId('ag_lumen');

export const order = {
  ...about,
  agencyId: agency,
  workspaceId: derivedId('workspace', agency),
  source: 'manual' as const,
};

export const handles: ScanHandle[] = [{ platform: 'onlyfans', username: 'mia', variants: ['rosie'] }];

type EventName = ScanEvent['type'] extends `scan.${infer Name}.v1` ? Name : never;

type DataOf<Name extends EventName> = Extract<ScanEvent, { type: `scan.${Name}.v1` }>['data'];

export const fact = <Name extends EventName>(name: Name, data: Omit<DataOf<Name>, keyof typeof about>) =>
  ({ type: `scan.${name}.v1`, data: { ...about, ...data } }) as ScanEvent;

export const queued: ScanEvent = { type: 'scan.queued.v1', data: order };

export const dispatching = fact('dispatchStarted', { personal: { handles } });

export const accepted = fact('accepted', { jobId: 'job-1' });

export const started = fact('started', { jobId: 'job-1' });

export const uncertain = fact('outcomeLost', {});

export const notFound = fact('jobNotFound', {});

export const ending = (finishedAt: Instant, errorCode: string | null, jobId: string | null = 'job-1') => ({
  jobId,
  finishedAt,
  errorCode,
});

export const NOW = 1_700_000_000_000;

export const FINISHED = NOW - 5_000;

export const TIMEOUT = 5_000;

export const job = (status: ScanJob['status'], changes: Partial<ScanJob> = {}): ScanJob => ({
  jobId: 'job-1',
  status,
  errorCode: null,
  finishedAt: null,
  ...changes,
});

/** The events that lead to each state of a scan. */
export const PASTS = {
  unknown: [],
  queued: [queued],
  dispatching: [queued, dispatching],
  'dispatching, accepted': [queued, dispatching, accepted],
  running: [queued, dispatching, started],
  uncertain: [queued, dispatching, uncertain],
  'uncertain of its job': [queued, dispatching, started, uncertain],
  'uncertain, missed once': [queued, dispatching, uncertain, notFound],
  completed: [queued, dispatching, started, fact('completed', ending(FINISHED, null))],
  failed: [queued, dispatching, fact('failed', ending(FINISHED, 'engine_rejected', null))],
  cancelled: [queued, fact('cancelled', ending(FINISHED, 'protection_paused', null))],
} as const satisfies Record<string, readonly ScanEvent[]>;

export type Situation = keyof typeof PASTS;

export const SENT: Situation[] = [
  'dispatching',
  'dispatching, accepted',
  'running',
  'uncertain',
  'uncertain of its job',
  'uncertain, missed once',
];

export const pastOf = (situation: Situation): Past<ScanEvent> => PASTS[situation].map((event) => at(NOW, event));

export const givenScan = (situation: Situation) => given(scanDecider, pastOf(situation));
