import type { Person } from './people.js';

/** As many leaks as the contract's largest creator has, and how long their URLs may be. */
const GIANT_LEAKS = 20_000;
const GIANT_URL = 2_000;
const GIANT_IMPERSONATIONS = 500;
/** Others have up to so many. */
const MAX_LEAKS = 24;
const LEAKS_PER_JOB = 2;

interface Page {
  readonly data: readonly object[];
  readonly next_cursor: string | null;
}

interface PageQuery {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly since?: number;
}

/** Records are made when they are asked for: nothing of a giant's 40 MB is kept. */
export const leakPage = (person: Person, query: PageQuery, epoch: number): Page =>
  pageOf(
    leakCount(person),
    (n) => leakOf(person, n, epoch),
    query,
    (query.since ?? 0) > epoch ? initialLeaks(person) : 0,
  );

export const impersonationPage = (person: Person, query: PageQuery, epoch: number): Page =>
  pageOf(person.isGiant ? GIANT_IMPERSONATIONS : person.seed % 3, (n) => impersonationOf(person, n, epoch), query);

export const activityPage = (person: Person, query: PageQuery, epoch: number): Page =>
  pageOf(leakCount(person), (n) => activityOf(person, n, epoch), query);

const leakCount = (person: Person): number => initialLeaks(person) + person.found.length * LEAKS_PER_JOB;
const initialLeaks = ({ isGiant, seed }: Person): number => (isGiant ? GIANT_LEAKS : seed % MAX_LEAKS);

/** Ids are numbers of one length, so that the cursor is where to go on. */
const pageOf = (
  count: number,
  recordOf: (n: number) => { readonly updatedAt: number; readonly record: object },
  { limit, after, since = 0 }: PageQuery,
  first = 0,
): Page => {
  const data: object[] = [];
  let n = after === undefined ? first : Number(after.slice(-6)) + 1;
  for (; n < count && data.length < limit; n++) {
    const { updatedAt, record } = recordOf(n);
    if (updatedAt >= since) data.push(record);
  }
  return { data, next_cursor: n < count ? numbered(n - 1) : null };
};

const numbered = (n: number): string => String(n).padStart(6, '0');

const leakOf = (person: Person, n: number, epoch: number) => {
  const job = person.found[Math.floor((n - initialLeaks(person)) / LEAKS_PER_JOB)];
  const at = job?.at ?? epoch;
  const record = {
    leak_id: `leak_${person.userId}_${numbered(n)}`,
    url: urlOf(person, `leak/${n}`),
    status: 'found',
    status_code: 'detected',
    actionable: true,
    dead_on_arrival: false,
    created_at: at,
    updated_at: at,
    job_id: job?.jobId ?? null,
  };
  return { updatedAt: at, record };
};

const impersonationOf = (person: Person, n: number, epoch: number) => ({
  updatedAt: epoch,
  record: {
    impersonation_id: `imp_${person.userId}_${numbered(n)}`,
    platform: 'instagram',
    url: urlOf(person, `impostor/${n}`),
    username: `impostor_${n}`,
    status: 'open',
    created_at: epoch,
    updated_at: epoch,
  },
});

const activityOf = (person: Person, n: number, epoch: number) => ({
  updatedAt: epoch,
  record: {
    id: `act_${person.userId}_${numbered(n)}`,
    type: 'leak.detected',
    occurred_at: epoch,
    timestamp_basis: 'recorded',
    leak_id: `leak_${person.userId}_${numbered(n)}`,
    url: urlOf(person, `leak/${n}`),
    status: 'found',
    status_code: 'detected',
  },
});

const PADDING = 'x'.repeat(GIANT_URL);

const urlOf = ({ isGiant, seed }: Person, path: string): string => {
  const url = `https://leaks-${seed % 97}.example/${path}`;
  return isGiant ? `${url}/${PADDING.slice(url.length + 1)}` : url;
};
