import { join } from 'node:path';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import type { StoredLog } from '#kernel';
import { prove, Sealing, SealKey, withHashChain } from '#tamper-evidence';
import { type Bench, mebibytes, SCALE } from './figures.js';
import type { FillHistorySettings } from './processes/fill-history.js';
import { startProcess } from './processes/start-process.js';

const EVENTS = Math.max(20_000, Math.round(1_000_000 * SCALE));
const PROOFS = 1_000;
/** In seconds, at full size. */
const WANTED_TIME = 15;
/** 250 MB, in MiB. */
const WANTED_MEMORY = 238;
const KEY = new SealKey(Buffer.alloc(32, 7));

/** Events a second of the log that proofs of 1,000 of them get through, against reading the log. */
export default {
  name: `proving ${PROOFS} of ${EVENTS.toLocaleString('en')} events, against reading them`,
  wanted: 0.3,
  async run(dir: string) {
    const settings: FillHistorySettings = { dir, events: EVENTS, isChained: true };
    const filler = await startProcess<object>('fill-history', dir, settings);
    await filler.stop();
    const log = withHashChain(openSqliteEventLog({ file: join(dir, 'events.db') }));
    await new Sealing(log, KEY).sealAll(Date.UTC(2030, 0, 1));
    await log.close();

    const stored = openSqliteStoredLog(join(dir, 'events.db'));
    const began = performance.now();
    const { ids, events } = await everyNth(stored);
    const read = performance.now();
    const proofs = await prove(stored, KEY.publicKey, ids);
    const proven = performance.now();
    await stored.close();
    const seconds = (proven - read) / 1_000;
    // Linux counts in KiB.
    const rss = mebibytes(process.resourceUsage().maxRSS * 1_024);
    return {
      value: events / seconds,
      floor: events / ((read - began) / 1_000),
      unit: 'events/s',
      holds: proofs.events.length >= PROOFS && rss <= WANTED_MEMORY && seconds <= WANTED_TIME,
      note: `${proofs.events.length} proofs in ${seconds.toFixed(1)} s, wanted <= ${WANTED_TIME} s; at most ${rss} MiB of memory, wanted <= ${WANTED_MEMORY} MiB`,
    };
  },
} satisfies Bench;

/** The ids to prove, spread over the whole log. */
const everyNth = async (log: StoredLog) => {
  const ids = new Set<string>();
  let events = 0;
  for await (const page of log.pages())
    for (const record of page)
      if ('json' in record && events++ % Math.floor(EVENTS / PROOFS) === 0 && ids.size < PROOFS) ids.add(record.id);
  return { ids, events };
};
