import { middleRound, SCALE } from './figures.js';
import type { DeepPagesReady, DeepPagesSettings } from './processes/deep-pages-api.js';
import type { Load, LoadResult } from './processes/load.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';

const CREATORS = Math.max(500, Math.round(10_000 * SCALE));
const CASES = Math.max(1_000, Math.round(50_000 * SCALE));
const EVENTS = Math.max(10_000, Math.round(1_000_000 * SCALE));
const CONNECTIONS = 4;
/** Many short rounds, first and last in turn, so that a noisy moment hits both. */
const ROUNDS = 25;
const REQUESTS = 100;
const WARM = 400;

const shown = (count: number): string => count.toLocaleString('en');

/**
 * The last page of 100 of each collection against the first after a cursor: the roster with all its creators, the cases
 * of one creator, the feed of one workspace. The collection where it makes most difference is shown, the others in the
 * note. A page of the roster is the platform's too, so that the sandbox takes part in it.
 */
export default {
  name: `the last page of ${shown(CREATORS)} creators, ${shown(CASES)} cases, ${shown(EVENTS)} events, against the first`,
  wanted: 0.8,
  async run(dir: string) {
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: CREATORS });
    const settings: DeepPagesSettings = { dir, sandbox: sandbox.ready, cases: CASES, events: EVENTS };
    const api = await startProcess<DeepPagesReady>('deep-pages-api', dir, settings);
    const load = await startProcess<object>('load', dir, {});
    const { url, key, pages } = api.ready;
    const measure = async (path: string, count = REQUESTS): Promise<number> => {
      const request = { method: 'GET' as const, path, headers: { authorization: `Bearer ${key}` } };
      const asked: Load = { url, connections: CONNECTIONS, requests: Array.from({ length: count }, () => request) };
      const { perSecond, failures } = await load.ask<LoadResult>(asked);
      if (failures > 0) throw new Error(`${failures} requests of ${path} failed`);
      return perSecond;
    };
    const compared: { readonly name: string; readonly value: number; readonly floor: number }[] = [];
    for (const [name, { first, last }] of Object.entries(pages)) {
      await requireWhole(url, key, [first, last]);
      const values: number[] = [];
      const floors: number[] = [];
      for (const path of [first, last]) await measure(path, WARM);
      for (let round = 0; round < ROUNDS; round++) {
        floors.push(await measure(first));
        values.push(await measure(last));
      }
      compared.push({ name, ...middleRound(values, floors) });
    }
    for (const started of [load, api, sandbox]) await started.stop();
    const [worst, ...others] = compared.toSorted((one, other) => one.value / one.floor - other.value / other.floor);
    if (worst === undefined) throw new Error('nothing was compared');
    const ratios = others.map(({ name, value, floor }) => `${name} ${(value / floor).toFixed(2)}`);
    return { ...worst, unit: 'pages/s', note: `of the ${worst.name}; ${ratios.join(', ')}` };
  },
};

const ROWS_PER_PAGE = 100;
const MAX_TRIES = 10;

/** A page that is half empty would be no comparison. */
const requireWhole = async (url: string, key: string, paths: readonly string[]): Promise<void> => {
  const look = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  for (const path of paths) {
    let response = await look(path);
    // What the first look records is paced by read models, which no worker advances here: it is 504 (D80), and goes on.
    for (let tries = 1; response.status === 504 && tries < MAX_TRIES; tries++) response = await look(path);
    const { data } = (await response.json()) as { readonly data?: readonly object[] };
    if (data?.length !== ROWS_PER_PAGE) throw new Error(`${path} is ${response.status} with ${data?.length} rows`);
  }
};
