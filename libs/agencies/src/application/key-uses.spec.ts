import { beforeEach, expect, it } from '@jest/globals';
import { HOUR, MINUTE, newId, StoreUnavailable } from '#kernel';
import { eventually, InMemoryDocumentStore, RecordingLogger } from '#testing';
import { KEY_USES, KeyUses } from './key-uses.js';

const keyId = newId('key');

let documents: InMemoryDocumentStore;
let logger: RecordingLogger;
let uses: KeyUses;

beforeEach(async () => {
  documents = new InMemoryDocumentStore();
  await documents.ensure([KEY_USES]);
  logger = new RecordingLogger();
  uses = new KeyUses(documents, logger);
});

const isNotedAt = (at: number) => eventually(async () => (await uses.lastOf([keyId])).get(keyId) === at);

it('notes the use of a key once a minute', async () => {
  const write = documents.write.bind(documents);
  let writes = 0;
  documents.write = (...asked) => {
    writes++;
    return write(...asked);
  };
  for (const at of [1, 2, MINUTE]) uses.note(keyId, at);
  await isNotedAt(1);
  uses.note(keyId, MINUTE + 1);
  await isNotedAt(MINUTE + 1);
  expect(writes).toBe(2);
});

it('D111: notes the next use after the clock was set back', async () => {
  uses.note(keyId, 10 * HOUR);
  await isNotedAt(10 * HOUR);
  uses.note(keyId, HOUR);
  await isNotedAt(HOUR);
});

it('logs a note that cannot be written, and writes that of the next use', async () => {
  const write = documents.write.bind(documents);
  documents.write = () => Promise.reject(new StoreUnavailable('down'));
  uses.note(keyId, 1);
  await eventually(() => logger.lines.length === 1);
  expect(logger.lines).toMatchObject([{ level: 'warn', fields: { key_id: keyId } }]);
  documents.write = write;
  uses.note(keyId, 2);
  await isNotedAt(2);
});

it('says since when uses are recorded, and keeps the first time', async () => {
  expect(await uses.recordedSince()).toBeUndefined();
  await uses.recordFrom(7);
  await new KeyUses(documents, logger).recordFrom(9);
  expect(await uses.recordedSince()).toBe(7);
  expect([...(await uses.lastOf([keyId]))]).toEqual([]);
});
