import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { InvalidAppend, InvalidStoreUrl, type ReadStream, StoreUnavailable } from '#kernel';
import { event, events, ids } from '../contract/given-events.js';
import { openEventStoreDbEventLog, openEventStoreDbStoredLog } from './open.js';
import { positionOf } from './recorded.js';
import { logOnDouble } from './testing/log-on-double.js';

let opened: Awaited<ReturnType<typeof logOnDouble>>;
let foreigner: EventStoreDBClient;

beforeEach(async () => {
  opened = await logOnDouble();
  foreigner = EventStoreDBClient.connectionString(opened.double.url);
});
afterEach(async () => {
  await foreigner.dispose();
  await opened.close();
});

test('skips events of other applications, of any shape', async () => {
  const { log } = opened;
  const some = events(3);
  await log.append('thing-1', 'none', some.slice(0, 1));
  await foreigner.appendToStream('thing-1', binaryEvent({ type: 'thing.happened.v1', data: Buffer.from([0xff, 1]) }));
  await foreigner.appendToStream('theirs-1', jsonEvent({ type: 'thing.happened.v1', data: { a: 1 } }));
  await foreigner.appendToStream('theirs', jsonEvent({ type: 'x', data: { a: 1 }, metadata: { at: 'noon' } }));
  await foreigner.appendToStream('$ce-thing', jsonEvent({ type: '$>', data: {}, metadata: { at: 1 } }));
  await foreigner.appendToStream('$et', jsonEvent({ type: 'system', data: { a: 1 } }));
  await foreigner.setStreamMetadata('thing-1', { maxCount: 100 });
  await log.append('thing-1', 1, some.slice(1));
  const last = await foreigner.appendToStream('theirs-1', jsonEvent({ type: 'x', data: { a: 1 } }));

  const revisions = async (options: ReadStream) =>
    (await log.readStream('thing-1', options)).map(({ revision }) => revision);
  expect(await revisions({})).toEqual([0, 2, 3]);
  // Fewer than were asked for would mean that there are no more.
  expect(await revisions({ limit: 2 })).toEqual([0, 2]);
  expect(await revisions({ from: 1, limit: 1 })).toEqual([2]);
  expect(await revisions({ direction: 'backwards', limit: 3 })).toEqual([3, 2, 0]);
  expect(await revisions({ direction: 'backwards', from: 1, limit: 1 })).toEqual([0]);
  for (const filter of [{}, { types: new Set(['thing.happened.v1']) }, { categories: new Set(['thing', 'theirs']) }]) {
    const page = await log.readLog({ after: 0, ...filter });
    expect(ids(page.events)).toEqual(ids(some));
    expect(page.atEnd).toBe(true);
    expect(page.reached).toBeGreaterThanOrEqual(Number(last.position?.commit));
  }
});

test('a stream that was deleted is empty, and can begin again', async () => {
  const { log } = opened;
  const before = events(2);
  await log.append('thing-1', 'none', before);
  await foreigner.deleteStream('thing-1');
  expect(await log.readStream('thing-1')).toEqual([]);
  expect(await log.readStream('thing-1', { direction: 'backwards', limit: 1 })).toEqual([]);
  const again = event();
  expect((await log.append('thing-1', 'none', [again])).revision).toBe(2);
  expect(ids(await log.readStream('thing-1'))).toEqual([again.id]);
  expect(ids((await log.readLog({ after: 0 })).events)).toEqual(ids([...before, again]));
});

test('a stream that was deleted for good reads as empty, accepts no append, and stops no reader of the log', async () => {
  const { log } = opened;
  const before = events(2);
  await log.append('thing-1', 'none', before);
  await foreigner.tombstoneStream('thing-1');
  const after = event();
  await log.append('thing-2', 'none', [after]);
  expect(await log.readStream('thing-1')).toEqual([]);
  const stored = openEventStoreDbStoredLog({ url: opened.double.url });
  expect(await stored.stream('thing-1', 0, 10)).toEqual([]);
  for await (const page of stored.pages()) expect(page).toMatchObject(ids([...before, after]).map((id) => ({ id })));
  await stored.close();
  await expect(log.append('thing-1', 1, [event()])).rejects.toBeInstanceOf(InvalidAppend);
  const filters = [{}, { categories: new Set(['thing']) }, { types: new Set(['thing.happened.v1']) }];
  for (const filter of filters) {
    expect(ids((await log.readLog({ after: 0, ...filter })).events)).toEqual(ids([...before, after]));
  }
});

test('positions are byte offsets, and none is guessed that a number cannot hold', () => {
  expect(positionOf('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => positionOf('9007199254740992')).toThrow(StoreUnavailable);
  // Servers before 22.10 send this value if they do not know the position.
  expect(() => positionOf('18446744073709551615')).toThrow(/23\.10/);
});

test('reports the fault of a connection string without repeating it', () => {
  for (const url of ['http://admin:secret@host', 'esdb://admin:secret@host:port?tls=maybe', 'secret']) {
    expect(() => openEventStoreDbEventLog({ url })).toThrow(InvalidStoreUrl);
    expect(() => openEventStoreDbEventLog({ url })).not.toThrow(/secret/);
  }
});
