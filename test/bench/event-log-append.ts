import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventLog } from '#event-log';
import { type Append, appendAll, SIZE, WRITERS } from './event-log-events.js';
import { middleRound, ratiosOf, SCALE } from './figures.js';

const ROUNDS = 9;
const SYNCS = Math.max(20, Math.round(600 * SCALE));

/** Events a second of many writers on the log, against those of one that appends as many bytes to a file and syncs. */
export default {
  name: `${WRITERS} writers appending durably, against one file`,
  wanted: 5,
  async run(dir: string) {
    const log = openSqliteEventLog({ file: join(dir, 'append.db') });
    const append: Append = async (stream, expected, event) => (await log.append(stream, expected, [event])).revision;
    const file = openSync(join(dir, 'append.txt'), 'a');
    const values: number[] = [];
    const floors: number[] = [];
    await appendAll(append, 'warm');
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(writeAndSync(file));
      values.push(await appendAll(append, String(round)));
    }
    closeSync(file);
    await log.close();
    return { ...middleRound(values, floors), unit: 'events/s', note: ratiosOf(values, floors) };
  },
};

function writeAndSync(file: number): number {
  const bytes = Buffer.alloc(SIZE, 'x');
  const began = performance.now();
  for (let n = 0; n < SYNCS; n++) {
    writeSync(file, bytes);
    fdatasyncSync(file);
  }
  return (SYNCS * 1_000) / (performance.now() - began);
}
