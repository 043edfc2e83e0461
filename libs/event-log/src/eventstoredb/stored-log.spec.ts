import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type EventLog, newEventId, type StoredLog, type StoredRecord } from '#kernel';
import { Sealing, SealKey, verifyLog, withHashChain } from '#tamper-evidence';
import { openEventStoreDbStoredLog } from './open.js';
import { logOnDouble } from './testing/log-on-double.js';

const NOW = 1_767_225_600_000;
const key = new SealKey(Buffer.alloc(32, 7));
const metadata = { at: NOW, correlationId: 'req_1', causationId: null, actor: 'key:test', workspaceId: null };
const events = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: newEventId(), type: 'thing.happened.v1', data: { n }, metadata }));

let opened: Awaited<ReturnType<typeof logOnDouble>>;
let log: EventLog;
let stored: StoredLog;

beforeEach(async () => {
  opened = await logOnDouble();
  log = withHashChain(opened.log);
  stored = openEventStoreDbStoredLog({ url: opened.double.url });
});

afterEach(async () => {
  await stored.close();
  await opened.close();
});

const all = async () => {
  const records: StoredRecord[] = [];
  for await (const page of stored.pages()) records.push(...page);
  return records;
};

it('returns each event once, in log order, over several pages', async () => {
  for (let n = 0; n < 5; n++) await log.append(`thing-${n}`, 'none', events(450));
  const ids = (await log.readLog({ after: 0, limit: 10_000 })).events.map(({ id }) => id);
  expect(ids).toHaveLength(2_250);
  expect((await all()).map((record) => 'json' in record && record.id)).toEqual(ids);
});

it('gives data and metadata as they were sent, to the byte', async () => {
  const [event] = events(1);
  await log.append('thing-1', 'none', event ? [event] : []);
  const [recorded] = await log.readStream('thing-1');
  const json = { data: '{"n":0}', metadata: JSON.stringify(recorded?.metadata) };
  expect(await all()).toEqual([expect.objectContaining({ id: event?.id, stream: 'thing-1', revision: 0, json })]);
  expect(await stored.stream('thing-1', 0, 5)).toEqual(await all());
  expect(await stored.stream('nothing-1', 0, 5)).toEqual([]);
});

it('holds what a verifier finds intact, and what it does not', async () => {
  await log.append('thing-1', 'none', events(30));
  await new Sealing(log, key, 10).sealAll(NOW);
  expect(await verifyLog(stored, key.publicKey)).toMatchObject({ faults: [] });
  // Somebody appends past the service.
  await opened.log.append('thing-1', 29, events(1));
  const { faults } = await verifyLog(stored, key.publicKey);
  expect(faults).toMatchObject([{ kind: 'changed', stream: 'thing-1', revision: 30 }]);
});
