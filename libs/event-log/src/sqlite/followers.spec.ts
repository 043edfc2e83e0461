import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type EventLog, type LogPage, type Position, SECOND, StoreUnavailable } from '#kernel';
import { eventually } from '#testing';
import { events } from '../contract/given-events.js';
import { connected } from './connection.js';
import { appendWriter, SqliteEventLog } from './sqlite-event-log.js';
import { temporaryLog } from './testing/temporary-log.js';

let temporary: Awaited<ReturnType<typeof temporaryLog>>;
let log: EventLog;
/** As another process has it open. */
let other: EventLog;
let over: AbortController;

beforeEach(async () => {
  temporary = await temporaryLog();
  log = temporary.open();
  other = temporary.open();
  over = new AbortController();
});

afterEach(async () => {
  over.abort();
  await temporary.close();
});

const following = (after: Position): AsyncIterator<LogPage> =>
  log.follow({ after, signal: over.signal })[Symbol.asyncIterator]();
const next = async (follower: AsyncIterator<LogPage>): Promise<readonly Position[]> => {
  const { value } = await follower.next();
  return (value as LogPage).events.map(({ position }) => position);
};

test("a follower that was busy at the notification sees foreign events after its own process's events", async () => {
  const { position: first } = await log.append('thing-1', 'none', events(1));
  const busy = following(0);
  expect(await next(busy)).toEqual([first]);
  const quick: Position[] = [];
  void (async () => {
    for await (const page of log.follow({ after: first, signal: over.signal })) {
      quick.push(...page.events.map(({ position }) => position));
    }
  })();
  const { position: here } = await log.append('thing-1', 0, events(1));
  await eventually(() => quick.includes(here));
  const { position: elsewhere } = await other.append('thing-2', 'none', events(1));
  await eventually(() => quick.includes(elsewhere));
  const seen = [...(await next(busy))];
  while (!seen.includes(elsewhere)) seen.push(...(await next(busy)));
  expect(seen).toEqual([here, elsewhere]);
});

test('an append of this process without a notification is seen as soon as foreign ones', async () => {
  const { file } = temporary;
  const retry = { busyFor: 5 * SECOND, pollEvery: 5 };
  const writer = appendWriter({ file, busyFor: retry.busyFor });
  const add = writer.add.bind(writer);
  let isLost = false;
  writer.add = async (append) => {
    const written = await add(append);
    if (isLost) throw new StoreUnavailable('the thread that writes has ended');
    return written;
  };
  const own = connected(file, retry.busyFor, 1_024, (db) => new SqliteEventLog(db, file, writer, retry));
  const { position } = await own.append('thing-1', 'none', events(1));
  const follower = own.follow({ after: 0, signal: over.signal })[Symbol.asyncIterator]();
  expect(await next(follower)).toEqual([position]);
  isLost = true;
  const seen = next(follower);
  await expect(own.append('thing-1', 0, events(1))).rejects.toThrow(StoreUnavailable);
  expect(await seen).toEqual([position + 1]);
  await own.close();
});
