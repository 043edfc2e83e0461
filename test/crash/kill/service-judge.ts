import type { Case, Creator, Scan } from '#client';
import { type AgencyClient, type EventBody, ok } from '../support/agency-client.js';
import type { PlatformState, Stage } from '../support/stage.js';
import { differences } from './platform-judge.js';
import type { Subject } from './subject.js';

const BATCH_SIZE = 16;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
const UNSETTLED: ReadonlySet<string> = new Set(['enrolling', 'uncertain']);

/** All that the agency can read, and what the platform holds, at one time. */
export interface Evidence {
  readonly creators: ReadonlyMap<Subject, Creator>;
  readonly scans: ReadonlyMap<string, Scan>;
  readonly cases: ReadonlyMap<Subject, readonly Case[]>;
  readonly feed: readonly EventBody[];
  readonly state: PlatformState;
}

export const collect = async (client: AgencyClient, stage: Stage, subjects: readonly Subject[]): Promise<Evidence> => {
  const creators = await eachOf(subjects, async ({ id }) => ok(await client.creator(id ?? '')));
  const ids = subjects.flatMap(({ scans }) => scans.map(({ id }) => id ?? ''));
  const scans = await eachOf(ids, async (id) => ok(await client.scan(id)));
  const linked = subjects.filter(({ userId }) => userId !== undefined);
  const cases = await eachOf(linked, ({ id }) => client.cases(id ?? ''));
  return { creators, scans, cases, feed: await client.events(), state: await stage.state() };
};

const eachOf = async <Subject, Found>(
  subjects: readonly Subject[],
  find: (subject: Subject) => Promise<Found>,
): Promise<Map<Subject, Found>> => {
  const found = new Map<Subject, Found>();
  for (let first = 0; first < subjects.length; first += BATCH_SIZE) {
    const some = subjects.slice(first, first + BATCH_SIZE);
    await Promise.all(some.map(async (subject) => found.set(subject, await find(subject))));
  }
  return found;
};

/** Lists work that continues without a request and has not ended yet. */
export const unsettled = ({ creators, scans, cases, feed, state }: Evidence): string[] => {
  const published = new Set(feed.map(({ type, data }) => `${type} ${data.case_id ?? data.scan_id}`));
  const activeUsers = [...creators.values()].filter((shown) => shown.protection_status === 'active');
  return [
    ...[...creators].flatMap(([{ externalId, userId }, shown]) => [
      ...(UNSETTLED.has(shown.enrollment_status) ? [`${externalId} is ${shown.enrollment_status}`] : []),
      ...(userId !== undefined && shown.identity_sync_pending ? [`${externalId}: identity not written`] : []),
    ]),
    ...[...scans.values()].flatMap(({ id, status }) => {
      if (!ENDED.has(status)) return [`${id} is ${status}`];
      return status === 'cancelled' || published.has(`scan.${status} ${id}`) ? [] : [`${id}: no scan.${status}`];
    }),
    ...[...cases.values()]
      .flat()
      .flatMap(({ id }) => (published.has(`case.created ${id}`) ? [] : [`${id}: no case.created`])),
    ...differences(
      'slot',
      activeUsers.map(({ svc_user_id }) => svc_user_id ?? undefined),
      state.slots.filter(({ api }) => api).map(({ user_id }) => user_id),
    ),
  ];
};

/** Lists acknowledged changes that the service does not show. */
export const judgeAcknowledged = ({ creators, scans }: Evidence, subjects: readonly Subject[]): string[] => [
  ...subjects.flatMap((subject) => {
    const shown = creators.get(subject);
    if (shown === undefined) return [`${subject.externalId} is not there`];
    const { id, externalId, protection, userId, aliases } = subject;
    const invitee = userId === undefined;
    return [
      ...(shown.id === id && shown.external_id === externalId
        ? []
        : [`${externalId}: ${shown.id} ${shown.external_id}`]),
      ...(shown.protection_status === protection
        ? []
        : [`${externalId}: ${shown.protection_status}, not ${protection}`]),
      ...(shown.enrollment_status === (invitee ? 'invited' : 'linked')
        ? []
        : [`${externalId}: ${shown.enrollment_status}`]),
      ...aliases.filter((alias) => !shown.aliases.includes(alias)).map((alias) => `${externalId}: lacks ${alias}`),
    ];
  }),
  ...subjects.flatMap(({ id, scans: requested }) =>
    requested.flatMap((scan) => (scans.get(scan.id ?? '')?.creator_id === id ? [] : [`${scan.id}: not ${id}'s`])),
  ),
];

/** Each scan ended as its job did, and each finding of a job belongs to its scan. */
export const judgeScans = ({ scans, cases, state }: Evidence): string[] => {
  const jobs = new Map(state.jobs.map((job) => [job.reference, job]));
  const scanOfJob = new Map(state.jobs.map((job) => [job.job_id, job.reference]));
  return [
    ...[...scans.values()].flatMap(({ id, status, svc_job_id, error_code }) => {
      const job = jobs.get(id);
      if (status === 'cancelled') return job === undefined ? [] : [`${id} is cancelled, and ran`];
      return job?.status === status && job.job_id === svc_job_id
        ? []
        : [`${id} is ${status} ${error_code}, its job ${job?.status}`];
    }),
    ...state.jobs.flatMap(({ reference }) => (scans.has(reference) ? [] : [`job of an unknown scan ${reference}`])),
    ...[...cases].flatMap(([{ externalId, userId }, found]) => {
      const leaks = state.leaks.filter((leak) => leak.user_id === userId);
      const scanOf = new Map(leaks.map(({ leak_id, job_id }) => [leak_id, scanOfJob.get(job_id ?? '') ?? null]));
      return [
        ...differences(
          `cases of ${externalId}`,
          leaks.map(({ leak_id }) => leak_id),
          found.map(({ leak_id }) => leak_id),
        ),
        ...found
          .filter(({ leak_id, scan_id }) => scan_id !== scanOf.get(leak_id))
          .map(({ id, scan_id }) => `${id} belongs to ${scan_id}`),
      ];
    }),
  ];
};
