import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventLog } from '#event-log';
import type { EventLog, ExpectedRevision } from '#kernel';
import { benchEvent, median, SCALE, SIZE } from './event-log-events.js';

const WRITERS = 64;
const ROUNDS = 9;
const APPENDS = Math.max(4, Math.round(60 * SCALE));
const SYNCS = Math.max(20, Math.round(600 * SCALE));

/** Events a second of many writers on the log, against those of one that appends as many bytes to a file and syncs. */
export default {
  name: `${WRITERS} writers appending durably, against one file`,
  wanted: 5,
  async run(dir: string) {
    const log = openSqliteEventLog({ file: join(dir, 'append.db') });
    const file = openSync(join(dir, 'append.txt'), 'a');
    const values: number[] = [];
    const floors: number[] = [];
    await appendAll(log, 'warm');
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(writeAndSync(file));
      values.push(await appendAll(log, String(round)));
    }
    closeSync(file);
    await log.close();
    return {
      value: median(values),
      floor: median(floors),
      unit: 'events/s',
      note: `ratios of the rounds ${ratios(values, floors)}`,
    };
  },
};

async function appendAll(log: EventLog, round: string): Promise<number> {
  const writers = Array.from({ length: WRITERS }, () => Array.from({ length: APPENDS }, (_, n) => benchEvent(n)));
  const began = performance.now();
  await Promise.all(
    writers.map(async (events, writer) => {
      let expected: ExpectedRevision = 'none';
      for (const event of events) {
        expected = (await log.append(`bench-${round}-${writer}`, expected, [event])).revision;
      }
    }),
  );
  return (WRITERS * APPENDS * 1_000) / (performance.now() - began);
}

function writeAndSync(file: number): number {
  const bytes = Buffer.alloc(SIZE, 'x');
  const began = performance.now();
  for (let n = 0; n < SYNCS; n++) {
    writeSync(file, bytes);
    fdatasyncSync(file);
  }
  return (SYNCS * 1_000) / (performance.now() - began);
}

const ratios = (values: number[], floors: number[]) =>
  values.map((value, n) => (value / (floors[n] ?? value)).toFixed(1)).join(' ');
