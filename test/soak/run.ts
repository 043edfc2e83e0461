import type { ChildProcess } from '../support/child-process.js';
import type { HostileReport, HostileRun } from './hostile/main.js';
import { MemoryWatch } from './memory.js';
import type { Outcome } from './outcome.js';
import type { AgencyPlan } from './population.js';
import type { Judgement, SevenReady, SevenReport, SevenRun } from './seven/main.js';
import { Stage } from './stage.js';
import { startPart } from './start-part.js';

export interface RunPlan {
  readonly rateLimit: number;
  readonly minutes: number;
  /** Creators of each well-behaved agency. */
  readonly creators: number;
}

const WELL_BEHAVED = 7;
const LARGE = 3;
/** The number of largest creators in each hostile agency except the hanging one. */
const GIANTS = 4;
const HOSTILE_CREATORS = 60;
/** The number of endpoints of the agency whose member reads the dashboard. */
const ENDPOINTS = 20;
/** Shares of the rate limit: a well-behaved agency stays within it, a hostile one exceeds it. */
const USED = 0.6;
const FLOODED = 2.5;

/** One run of the soak at one rate limit, on separate stores. */
export const run = async ({ rateLimit, minutes, creators }: RunPlan): Promise<Outcome> => {
  const good = plansOf('agency_good', WELL_BEHAVED, { creators });
  const hostile = [
    ...plansOf('agency_large', LARGE, { creators: HOSTILE_CREATORS, giants: GIANTS }),
    ...plansOf('agency_hanging', 1, { creators: HOSTILE_CREATORS, hangs: true }),
  ];
  const stage = await Stage.open([...good, ...hostile], rateLimit);
  const seven = await startPart<SevenReady>('seven', { agencies: WELL_BEHAVED });
  let enemies: ChildProcess<object> | undefined;
  try {
    const accounts = [];
    for (const [n, plan] of good.entries()) accounts.push(await stage.account(plan, seven.ready.hooks[n]));
    const hostileAccounts = [];
    for (const plan of hostile)
      hostileAccounts.push({ ...(await stage.account(plan, undefined)), hangs: plan.hangs === true });
    await stage.registerEndpoints(hostileAccounts[0]?.agencyId ?? '', ENDPOINTS);
    const worker = await stage.start('worker');
    const api = await stage.start('api');
    await stage.caughtUp(worker);

    const processes = [api, worker];
    const watches = processes.map(({ pid }) => new MemoryWatch(pid));
    const ms = minutes * 60_000;
    const { url } = api;
    const attack: HostileRun = {
      url,
      accounts: hostileAccounts,
      platform: stage.platformReady,
      perMinute: rateLimit * FLOODED,
      ms,
    };
    enemies = await startPart<object>('hostile', attack);
    const order: SevenRun = { url, accounts, perMinute: rateLimit * USED, ms };
    const answers = await seven.ask<SevenReport>(order);
    const memory = watches.map((watch, n) => ({ name: processes[n]?.name ?? '', ...watch.stop() }));
    const attacked = await enemies.ask<HostileReport>({});
    const judgement = await seven.ask<Judgement>({ judge: true });
    await Promise.all(processes.map((process) => process.stop()));
    return { rateLimit, minutes, answers, attacked, judgement, memory };
  } finally {
    await enemies?.stop();
    await seven.stop();
    await stage.close();
  }
};

const plansOf = (name: string, count: number, plan: Omit<AgencyPlan, 'id'>): AgencyPlan[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${name}_${n + 1}`, ...plan }));
