import { join } from 'node:path';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import { Sealing, SealKey, verifyLog, withHashChain } from '#tamper-evidence';
import { mebibytes, SCALE } from './figures.js';
import { fillWithHistory } from './history.js';

const EVENTS = Math.max(20_000, Math.round(1_000_000 * SCALE));
const ALLOWED_SECONDS = 60;
/** What memory may grow by between the first fifth of the walk and its end, in MiB. */
const GROWTH = 64;

/** Events a second that a verification of the log gets through, against a million in a minute. */
export default {
  name: `verifying ${EVENTS.toLocaleString('en')} events, against a million in ${ALLOWED_SECONDS} s`,
  wanted: 2,
  async run(dir: string) {
    const file = join(dir, 'events.db');
    const key = new SealKey(Buffer.alloc(32, 1));
    const log = withHashChain(openSqliteEventLog({ file }));
    await fillWithHistory(log, EVENTS);
    await new Sealing(log, key).sealAll(Date.now());
    await log.close();

    const stored = openSqliteStoredLog(file);
    let early = 0;
    let most = 0;
    const began = performance.now();
    const { events, seals, faultCount } = await verifyLog(stored, key.publicKey, {
      onProgress: (seen) => {
        most = Math.max(most, process.memoryUsage.rss());
        if (seen <= EVENTS / 5) early = most;
      },
    });
    const seconds = (performance.now() - began) / 1_000;
    await stored.close();
    const memory = `RSS ${mebibytes(early)} MiB after a fifth, at most ${mebibytes(most)} MiB`;
    return {
      value: events / seconds,
      floor: 1_000_000 / ALLOWED_SECONDS,
      unit: 'events/s',
      holds: faultCount === 0 && mebibytes(most - early) <= GROWTH,
      note: `${events} events and ${seals} seals in ${seconds.toFixed(1)} s, ${faultCount} faults; ${memory}`,
    };
  },
};
