import { join } from 'node:path';
import { openSqliteEventLog } from '#event-log';
import { type EventLog, MAX_APPEND_EVENTS } from '#kernel';
import { benchEvent } from './event-log-events.js';
import { mebibytes, middleRound, SCALE } from './figures.js';

const EVENTS = Math.max(10_000, Math.round(1_000_000 * SCALE));
const EVENTS_PER_PAGE = 1_000;
/** Both are measured on the same pages, one after the other, so that a noisy moment hits both. */
const STRETCH = 50 * EVENTS_PER_PAGE;

/** Events a second of a replay from disk, against `JSON.parse` of the same bodies that lie ready in memory. */
export default {
  name: `replaying ${EVENTS.toLocaleString('en')} events, against JSON.parse`,
  wanted: 0.65,
  async run(dir: string) {
    const log = openSqliteEventLog({ file: join(dir, 'replay.db') });
    await fill(log);
    const whole = await replay(log, 0, EVENTS);
    const values: number[] = [];
    const floors: number[] = [];
    let bytes = 0;
    let after = 0;
    for (let seen = 0; seen < EVENTS; ) {
      const stretch = Math.min(STRETCH, EVENTS - seen);
      const pages = await bodies(log, after, stretch);
      bytes += pages.flat().reduce((sum, body) => sum + Buffer.byteLength(body), 0);
      floors.push(parseAll(pages, stretch));
      pages.length = 0;
      const replayed = await replay(log, after, stretch);
      values.push(replayed.rate);
      after = replayed.reached;
      seen += stretch;
    }
    await log.close();
    return {
      ...middleRound(values, floors),
      unit: 'events/s',
      note: `${Math.round(bytes / EVENTS)} bytes a body; RSS ${whole.early} MiB after a tenth, at most ${whole.rss} MiB`,
    };
  },
};

async function fill(log: EventLog): Promise<void> {
  for (let n = 0; n < EVENTS; n += MAX_APPEND_EVENTS) {
    const events = Array.from({ length: Math.min(MAX_APPEND_EVENTS, EVENTS - n) }, (_, k) => benchEvent(n + k));
    await log.append(`case-cas_01h455vb4pex5vsknk${String(n).padStart(8, '0')}`, 'none', events);
  }
}

async function replay(log: EventLog, from: number, count: number) {
  const began = performance.now();
  let seen = 0;
  let reached = from;
  let early = 0;
  let rss = 0;
  while (seen < count) {
    const page = await log.readLog({ after: reached, limit: EVENTS_PER_PAGE });
    seen += page.events.length;
    reached = page.reached;
    rss = Math.max(rss, process.memoryUsage.rss());
    if (seen <= count / 10) early = rss;
  }
  return { rate: (seen * 1_000) / (performance.now() - began), reached, early: mebibytes(early), rss: mebibytes(rss) };
}

/** The bodies as they are stored, in pages. */
async function bodies(log: EventLog, from: number, count: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after = from, seen = 0; seen < count; ) {
    const page = await log.readLog({ after, limit: EVENTS_PER_PAGE });
    pages.push(page.events.map((event) => JSON.stringify(event)));
    after = page.reached;
    seen += page.events.length;
  }
  return pages;
}

function parseAll(pages: readonly string[][], count: number): number {
  const began = performance.now();
  for (const page of pages) page.map((body) => JSON.parse(body));
  return (count * 1_000) / (performance.now() - began);
}
