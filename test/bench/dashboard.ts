import type { ChildProcess } from '../support/child-process.js';
import { dashboardRequests } from './dashboard-requests.js';
import { type Bench, middleRound, ratiosOf, SCALE } from './figures.js';
import type { DashboardReady, DashboardSettings, LongestTurn } from './processes/dashboard-api.js';
import type { Asked, Browsed, Browsing, Took } from './processes/dashboard-visitors.js';
import type { CallsTook, PacedCalls, PacedCallsSettings } from './processes/paced-calls.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';

const scaled = (count: number): number => Math.max(100, Math.round(count * SCALE));
const CREATORS = 500;
const SIZE = {
  events: scaled(1_000_000),
  deliveries: scaled(100_000),
  endpoints: 50,
  cases: 500,
  intervals: scaled(20_000),
  keys: 200,
  keysInUse: 200,
  sessions: 30,
};
/** Milliseconds for a filter. */
const ALLOWED = 200;
const TIMES = 20;
const WARM = 3;

const ROUNDS = 5;
const SECONDS = Math.max(3, Math.round(10 * SCALE));
const CALLS_PER_SECOND = 100;
const VISITORS = 10;
const PAUSE = 1_000;

interface Measured extends Took {
  readonly path: string;
  /** The longest time for which the process did nothing else, in milliseconds. */
  readonly turn: number;
}

/** Measures each request. Also prints to standard error, because a row has no room for all of them. */
const measured = async (app: ChildProcess<DashboardReady>, visitors: ChildProcess<object>): Promise<Measured[]> => {
  const all: Measured[] = [];
  for (const path of dashboardRequests(app.ready)) {
    await visitors.ask<Took>({ path, times: WARM } satisfies Asked);
    await app.ask<LongestTurn>({});
    const took = await visitors.ask<Took>({ path, times: TIMES } satisfies Asked);
    if (took.status !== 200) throw new Error(`${path} was answered with ${took.status}`);
    const { ms: turn } = await app.ask<LongestTurn>({});
    all.push({ path, ...took, turn });
    const columns = [took.median, took.most, turn].map((ms) => ms.toFixed(0).padStart(5));
    process.stderr.write(`${columns.join(' ')}  ${path.replaceAll(/_[0-9a-z]{26}/g, '_…')}\n`);
  }
  return all;
};

/** The p99 of an agency's calls, alone and while people browse, in turn. */
const compared = async (dir: string, app: ChildProcess<DashboardReady>, visitors: ChildProcess<object>) => {
  const { url, key, ids } = app.ready;
  const paths = ['/v1/me', `/v1/creators/${ids.creator}`, '/v1/events?limit=20', '/v1/usage'];
  const callers = await startProcess<object>('paced-calls', dir, { url, key, paths } satisfies PacedCallsSettings);
  const call = async (): Promise<number> => {
    const calls: PacedCalls = { perSecond: CALLS_PER_SECOND, seconds: SECONDS };
    const { p99, failures } = await callers.ask<CallsTook>(calls);
    if (failures > 0) throw new Error(`${failures} calls failed`);
    return p99;
  };
  await call();
  const [alone, among]: [number[], number[]] = [[], []];
  let requests = 0;
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await call());
    const pages = dashboardRequests(app.ready).map((path) => [path]);
    await visitors.ask({ pages, visitors: VISITORS, pause: PAUSE } satisfies Browsing);
    among.push(await call());
    const browsed = await visitors.ask<Browsed>({ end: true });
    if (browsed.failures > 0) throw new Error(`${browsed.failures} requests of the dashboard failed`);
    requests += browsed.requests;
  }
  await callers.stop();
  return { alone, among, perSecond: requests / (ROUNDS * SECONDS) };
};

export const startLargeDashboard = async (dir: string) => {
  const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: CREATORS });
  const settings: DashboardSettings = { dir, sandbox: sandbox.ready, ...SIZE };
  return { sandbox, app: await startProcess<DashboardReady>('dashboard-api', dir, settings) };
};

/** The p99 of the calls alone against that among visitors; holds if each filter is answered in time. */
export default {
  name: 'p99 of calls without visitors of the dashboard, against ten; each of its filters in 200 ms',
  wanted: 0.8,
  async run(dir: string) {
    const { sandbox, app } = await startLargeDashboard(dir);
    const visitors = await startProcess<object>('dashboard-visitors', dir, app.ready);
    const filters = await measured(app, visitors);
    const { alone, among, perSecond } = await compared(dir, app, visitors);
    for (const started of [visitors, app, sandbox]) await started.stop();
    const slow = filters.filter(({ most }) => most > ALLOWED);
    const [slowest] = filters.toSorted((one, other) => other.most - one.most);
    const [longest] = filters.toSorted((one, other) => other.turn - one.turn);
    const note = [
      `${filters.length - slow.length} of ${filters.length} filters in ${ALLOWED} ms, the slowest ${shown(slowest)}`,
      `the longest turn ${longest?.turn.toFixed(0)} ms (${longest?.path})`,
      `${perSecond.toFixed(0)} requests/s of visitors`,
      ratiosOf(alone, among),
    ];
    return { ...middleRound(alone, among), unit: 'ms', holds: slow.length === 0, note: note.join('; ') };
  },
} satisfies Bench;

const shown = (slowest: Measured | undefined): string =>
  `${slowest?.most.toFixed(0)} ms (${slowest?.path}, half in ${slowest?.median.toFixed(0)} ms)`;
