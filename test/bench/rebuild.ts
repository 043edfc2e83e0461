import { ALL_PROJECTIONS } from '#contexts';
import type { EventLog } from '#kernel';
import { byRunner, READ_MODELS, readModelCollections } from '#projections';
import { openEmbeddedStores } from './embedded-stores.js';
import { type Bench, mebibytes, middleRound, SCALE } from './figures.js';
import { ledRebuild } from './led-rebuild.js';
import type { FillHistorySettings } from './processes/fill-history.js';
import { startProcess } from './processes/start-process.js';

const EVENTS = Math.max(20_000, Math.round(1_000_000 * SCALE));
const ROUNDS = 5;
const EVENTS_PER_PAGE = 1_000;
/** 300 MB, in MiB. */
const WANTED_MEMORY = 286;

/** Events a second of the log that a rebuild of all read models gets through, against a replay with parsing. */
export default {
  name: `rebuilding all read models from ${EVENTS.toLocaleString('en')} events, against a replay`,
  wanted: 0.5,
  async run(dir: string) {
    const settings: FillHistorySettings = { dir, events: EVENTS };
    const filler = await startProcess<object>('fill-history', dir, settings);
    await filler.stop();
    const { log, documents, close } = openEmbeddedStores(dir);
    await documents.ensure(await readModelCollections(documents, ALL_PROJECTIONS));
    const views = byRunner(ALL_PROJECTIONS).get(READ_MODELS) ?? [];
    const values: number[] = [];
    const floors: number[] = [];
    const memory = watchMemory();
    for (let round = 0; round < ROUNDS; round++) {
      // A machine that others use too is faster in one minute than in the next: replays before and after show this.
      const before = await taken(() => replay(log));
      // The time includes the wait until readers notice the switch.
      const rebuilt = await taken(() => ledRebuild(views, log, documents));
      const after = await taken(() => replay(log));
      values.push(EVENTS / rebuilt);
      floors.push((2 * EVENTS) / (before + after));
    }
    const rss = memory.stop();
    await close();
    return {
      ...middleRound(values, floors),
      unit: 'events/s',
      holds: rss < WANTED_MEMORY,
      note: `at most ${rss} MiB of memory, wanted < ${WANTED_MEMORY} MiB`,
    };
  },
} satisfies Bench;

/** In seconds. */
const taken = async (task: () => Promise<void>): Promise<number> => {
  const began = performance.now();
  await task();
  return (performance.now() - began) / 1_000;
};

const replay = async (log: EventLog): Promise<void> => {
  for (let after = 0; ; ) {
    const page = await log.readLog({ after, limit: EVENTS_PER_PAGE });
    if (page.atEnd) return;
    after = page.reached;
  }
};

/** The most that the process had at any time, in MiB. */
const watchMemory = () => {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  return {
    stop(): number {
      clearInterval(timer);
      return mebibytes(most);
    },
  };
};
