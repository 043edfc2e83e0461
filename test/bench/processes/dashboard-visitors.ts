import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import { median } from '../figures.js';
import type { DashboardReady } from './dashboard-api.js';

export interface Asked {
  readonly path: string;
  readonly times: number;
}

/** In milliseconds. */
export interface Took {
  readonly status: number;
  readonly median: number;
  readonly most: number;
}

export interface Browsing {
  /** Each visitor opens one of these pages after the other, all requests of a page concurrently. */
  readonly pages: readonly (readonly string[])[];
  readonly visitors: number;
  readonly pause: number;
}

export interface Browsed {
  readonly requests: number;
  readonly failures: number;
}

/** People with the dashboard open. */
const { url, cookies } = await settingsOf<DashboardReady>();
const pool = new Pool(url, { connections: 20 });
let asked = 0;
let browsing: AbortController | undefined;
let browsed: Promise<Browsed> | undefined;

/** Each request is of another session, because a session has a bound. */
const request = async (path: string, session = asked++) => {
  const began = performance.now();
  const headers = { cookie: cookies[session % cookies.length] ?? '' };
  const { statusCode, body } = await pool.request({ method: 'GET', path: `/dashboard/api${path}`, headers });
  await body.dump();
  return { status: statusCode, ms: performance.now() - began };
};

const measure = async ({ path, times }: Asked): Promise<Took> => {
  const answers = [];
  for (let n = 0; n < times; n++) answers.push(await request(path));
  const took = answers.map(({ ms }) => ms);
  const [worst] = answers.toSorted((one, other) => other.status - one.status);
  return { status: worst?.status ?? 0, median: median(took), most: Math.max(...took) };
};

const browse = async ({ pages, visitors, pause }: Browsing, signal: AbortSignal): Promise<Browsed> => {
  let [requests, failures] = [0, 0];
  const visit = async (visitor: number): Promise<void> => {
    // Not all at the same moment.
    await delay((pause * visitor) / visitors);
    for (let n = visitor; !signal.aborted; n += 1) {
      const answers = await Promise.all((pages[n % pages.length] ?? []).map((path) => request(path, visitor)));
      requests += answers.length;
      failures += answers.filter(({ status }) => status !== 200).length;
      await delay(pause);
    }
  };
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)));
  return { requests, failures };
};

process.on('message', async (message: Asked | Browsing | { readonly end: true }) => {
  if ('path' in message) return sendToParent(await measure(message));
  if ('pages' in message) {
    browsing = new AbortController();
    browsed = browse(message, browsing.signal);
    return sendToParent({});
  }
  browsing?.abort();
  sendToParent((await browsed) ?? {});
});
sendToParent({});
