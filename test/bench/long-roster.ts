import { SandboxClient } from '../../apps/platform-sandbox/src/index.js';
import { median, middleRound, ratiosOf, SCALE } from './figures.js';
import type { Load, LoadResult } from './processes/load.js';
import type { LongRosterReady, LongRosterSettings } from './processes/long-roster-data.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';

const ENDED = Math.round(25_000 * SCALE);
const LIVING = Math.max(20, Math.round(5_000 * SCALE));
const MEMBERS = 20;
const FIRST_WITHIN = 1_000;
const CONNECTIONS = 4;
const ROUNDS = 15;
const REQUESTS = 100;
const WARM = 300;
const MAX_TRIES = 10;
const [LONG, SHORT] = ['agency_bench', 'agency_short'];

const shown = (count: number): string => count.toLocaleString('en');

/**
 * Pages of `GET /v1/creators` of an agency with many enrollments behind it, against those of one with as many members
 * and no more. The platform lists the same number of members for both. The first page of a new process is measured apart.
 */
export default {
  name: `the roster after ${shown(ENDED)} ended and ${shown(LIVING)} living enrollments, against one of ${MEMBERS}; the first page within 1 s`,
  wanted: 0.67,
  async run(dir: string) {
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: LONG, creators: MEMBERS });
    const platform = { dir, sandbox: sandbox.ready };
    const data = await startProcess<LongRosterReady>('long-roster-data', dir, {
      ...platform,
      rosters: [
        { agency: LONG, userIds: sandbox.ready.userIds, living: LIVING, ended: ENDED },
        { agency: SHORT, userIds: await membersOf(SHORT, sandbox.ready), living: MEMBERS, ended: 0 },
      ],
    } satisfies LongRosterSettings);
    const [long = '', short = ''] = data.ready.keys;
    await data.stop();
    const before = await startProcess<{ readonly url: string }>('open-api', dir, platform);
    for (const key of [long, short]) await settled(before.ready.url, key);
    await before.stop();

    const api = await startProcess<{ readonly url: string }>('open-api', dir, platform);
    const { url } = api.ready;
    const load = await startProcess<object>('load', dir, {});
    const measure = async (key: string, count = REQUESTS): Promise<number> => {
      const request = { method: 'GET' as const, path: '/v1/creators', headers: { authorization: `Bearer ${key}` } };
      const asked: Load = { url, connections: CONNECTIONS, requests: Array.from({ length: count }, () => request) };
      const { perSecond, failures } = await load.ask<LoadResult>(asked);
      if (failures > 0) throw new Error(`${failures} pages failed`);
      return perSecond;
    };
    await measure(short, WARM);
    const alone = await measure(short);
    const first = await timeOf(() => read(url, long));
    await measure(long, WARM);
    const values: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await measure(short));
      values.push(await measure(long));
    }
    for (const started of [load, api, sandbox]) await started.stop();
    const figures = middleRound(values, floors);
    const others = (median(floors) / alone).toFixed(2);
    const note = `first page after ${Math.round(first)} ms; the other's at ${others} of before; ${ratiosOf(values, floors)}`;
    return { ...figures, unit: 'pages/s', holds: first <= FIRST_WITHIN, note };
  },
};

/** The members of one more agency of the platform. */
const membersOf = async (agency: string, { url, token }: SandboxReady): Promise<readonly string[]> => {
  const client = new SandboxClient({ url, token });
  await client.control('PUT', `/agencies/${agency}`, { total_slots: MEMBERS });
  const made = { count: MEMBERS, display_name: 'Jane Example', profiles: [] };
  const { user_ids } = await client.control<{ user_ids: string[] }>('POST', `/agencies/${agency}/creators`, made);
  return user_ids;
};

const read = (url: string, key: string): Promise<Response> =>
  fetch(`${url}/v1/creators`, { headers: { authorization: `Bearer ${key}` } });

/** Reads the page until nothing new is recorded: without a worker, what is recorded makes it 504 (D80). */
const settled = async (url: string, key: string): Promise<void> => {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const response = await read(url, key);
    const { data } = (await response.json()) as { readonly data?: readonly object[] };
    if (response.status === 200 && data?.length === MEMBERS) return;
  }
  throw new Error('the members are not shown');
};

/** Milliseconds until the page was read. */
const timeOf = async (page: () => Promise<Response>): Promise<number> => {
  const began = performance.now();
  const response = await page();
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`the first page is ${response.status}`);
  return performance.now() - began;
};
