import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { EventLog, RecordedEvent } from '#kernel';
import { events } from '../contract/given-events.js';
import { LogProcess } from './testing/processes.js';
import { temporaryLog } from './testing/temporary-log.js';

let temporary: Awaited<ReturnType<typeof temporaryLog>>;
let processes: LogProcess[];

beforeEach(async () => {
  temporary = await temporaryLog();
  processes = [];
});

afterEach(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  await temporary.close();
});

function start(): LogProcess {
  const started = new LogProcess(temporary.file);
  processes.push(started);
  return started;
}

async function readAll(log: EventLog): Promise<RecordedEvent[]> {
  const read: RecordedEvent[] = [];
  for (let after = 0; ; ) {
    const page = await log.readLog({ after });
    read.push(...page.events);
    after = page.reached;
    if (page.atEnd) return read;
  }
}

const dense = (count: number) => Array.from({ length: count }, (_, n) => n);

test('several processes create one log concurrently and append to it, and a follower in another sees one order', async () => {
  const writers = [1, 2, 3].map(() => start());
  const follower = start();
  follower.send('follow');
  for (const [n, writer] of writers.entries()) {
    writer.send(`own own-${n} 100 2`);
    writer.send('shared shared-1 30');
  }
  await Promise.all(writers.map((writer) => writer.done(2)));

  const total = 3 * (100 * 2 + 30);
  const seen = (await follower.until((lines) => lines.length > total)).slice(1);
  const log = temporary.open();
  const all = await readAll(log);
  expect(all).toHaveLength(total);
  expect(seen).toEqual(all.map(({ id, stream, revision, position }) => ({ id, stream, revision, position })));
  expect(all.every(({ position }, n) => position > (all[n - 1]?.position ?? 0))).toBe(true);
  for (const n of [0, 1, 2]) {
    expect((await log.readStream(`own-${n}`)).map(({ revision }) => revision)).toEqual(dense(200));
  }
  expect((await log.readStream('shared-1')).map(({ revision }) => revision)).toEqual(dense(90));
});

test('a follower is woken by the append of another process', async () => {
  const log = temporary.open();
  const over = new AbortController();
  const pages = log.follow({ after: 0, signal: over.signal })[Symbol.asyncIterator]();
  const coming = pages.next();
  const writer = start();
  writer.send('own own-1 1 3');
  expect((await coming).value).toMatchObject({ events: [{ stream: 'own-1' }, {}, {}] });
  const more = pages.next();
  writer.send('own own-2 1 1');
  expect((await more).value).toMatchObject({ events: [{ stream: 'own-2' }] });
  over.abort();
});

test('a killed writer has lost nothing that was acknowledged, and left no half append', async () => {
  const EVENTS = 5;
  for (const round of dense(3)) {
    const writer = start();
    const streams = dense(8).map((n) => `own-${round}${n}` as const);
    for (const stream of streams) writer.send(`own ${stream} 100000 ${EVENTS}`);
    await writer.until((lines) => lines.length >= 60 + 37 * round);
    await writer.kill();

    const log = temporary.open();
    for (const stream of streams) {
      const acknowledged = writer.lines.filter((line) => line.stream === stream).map((line) => Number(line.revision));
      const stored = (await log.readStream(stream)).map(({ revision }) => revision);
      expect(stored).toEqual(dense(stored.length));
      expect(stored.length % EVENTS).toBe(0);
      expect(stored.length - 1).toBeGreaterThanOrEqual(Math.max(-1, ...acknowledged));
    }
    expect((await log.append(`after-${round}`, 'none', events(2))).revision).toBe(1);
  }
});
