import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mainOf } from '../support/mains.js';
import { middleRound, SCALE, SPARING } from './figures.js';
import type { DeepPagesReady, DeepPagesSettings } from './processes/deep-pages-api.js';
import type { FillHistorySettings } from './processes/fill-history.js';
import type { Load, LoadResult } from './processes/load.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';

const EVENTS = Math.max(20_000, Math.round(1_000_000 * SCALE));
const ROUNDS = 3;
const SECONDS = 8;
const CONNECTIONS = 10;
/** What an API on two cores is asked on a busy day, and far from all that it can do. */
const PER_SECOND = 200;

/** How long the slowest of a hundred requests takes while an operator rebuilds all read models, against without. */
export default {
  name: `99 of 100 answers in peace, against during rebuilds of ${EVENTS.toLocaleString('en')} events by the tool`,
  wanted: 0.5,
  async run(dir: string) {
    const history: FillHistorySettings = { dir, events: EVENTS, layers: 'service' };
    const filler = await startProcess<object>('fill-history', dir, history);
    await filler.stop();
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: 10 });
    const settings: DeepPagesSettings = { dir, sandbox: sandbox.ready, cases: 1_000, events: 1_000 };
    const api = await startProcess<DeepPagesReady>('deep-pages-api', dir, settings);
    const load = await startProcess<object>('load', dir, {});
    const { url, key, pages } = api.ready;
    const paths = [pages.cases, pages.events].flatMap((page) => (page === undefined ? [] : [page.first, page.last]));
    const requests = Array.from({ length: CONNECTIONS * paths.length }, (_, n) => {
      const path = paths[n % paths.length] ?? '';
      return { method: 'GET' as const, path, headers: { authorization: `Bearer ${key}` } };
    });
    const measure = async (): Promise<number> => {
      const asked: Load = { url, connections: CONNECTIONS, requests, seconds: SECONDS, perSecond: PER_SECOND };
      const { p99, failures } = await load.ask<LoadResult>(asked);
      if (failures > 0) throw new Error(`${failures} requests failed`);
      return p99;
    };
    const during: number[] = [];
    const inPeace: number[] = [];
    let rebuilds = 0;
    await measure();
    for (let round = 0; round < ROUNDS; round++) {
      inPeace.push(await measure());
      const rebuilding = rebuildAgainAndAgain(dir);
      during.push(await measure());
      rebuilds += await rebuilding.stop();
    }
    for (const started of [load, api, sandbox]) await started.stop();
    const milliseconds = (times: readonly number[]) => times.map((time) => Math.round(time)).join(', ');
    return {
      ...middleRound(inPeace, during),
      unit: 'ms',
      note: `in peace ${milliseconds(inPeace)} ms, during ${rebuilds} rebuilds ${milliseconds(during)} ms`,
    };
  },
};

/** As an operator does it; when stopped, the one that is under way is waited for. */
const rebuildAgainAndAgain = (dir: string) => {
  let isOver = false;
  const all = (async () => {
    let rebuilds = 0;
    for (; !isOver; rebuilds++) {
      const tool = spawn(process.execPath, [...SPARING, mainOf('cli'), 'projections', 'rebuild'], {
        env: { ...process.env, DATA_DIR: dir },
        stdio: 'ignore',
      });
      const [code] = await once(tool, 'exit');
      if (code !== 0) throw new Error(`a rebuild ended with ${code}`);
    }
    return rebuilds;
  })();
  all.catch(() => undefined);
  return {
    stop(): Promise<number> {
      isOver = true;
      return all;
    },
  };
};
