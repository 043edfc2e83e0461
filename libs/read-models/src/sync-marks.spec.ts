import { expect, it } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { derivedId } from '#kernel';
import { StoredSyncMarks, SYNC_MARKS } from './sync-marks.js';

it('remembers until when each creator’s leaks were read', async () => {
  const store = new InMemoryDocumentStore();
  await store.ensure([SYNC_MARKS]);
  const marks = new StoredSyncMarks(store);
  const [mia, eve] = [derivedId('creator', 'mia'), derivedId('creator', 'eve')];
  expect(await marks.of(mia)).toBeUndefined();
  await marks.set(mia, 10);
  await marks.set(eve, 20);
  await marks.set(mia, 30);
  expect(await new StoredSyncMarks(store).of(mia)).toBe(30);
  expect(await marks.of(eve)).toBe(20);
});
