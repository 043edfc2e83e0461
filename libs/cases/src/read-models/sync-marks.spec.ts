import { expect, it } from '@jest/globals';
import { derivedId } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { SYNC_MARKS, SyncMarks } from './sync-marks.js';

it('remembers until when each creator’s leaks were read, and what was recorded of them by then', async () => {
  const store = new InMemoryDocumentStore();
  await store.ensure([SYNC_MARKS]);
  const marks = new SyncMarks(store);
  const [mia, eve] = [derivedId('creator', 'mia'), derivedId('creator', 'eve')];
  expect(await marks.of(mia)).toBeUndefined();
  await marks.set(mia, { through: 10, position: 1 });
  await marks.set(eve, { through: 20, position: 2 });
  await marks.set(mia, { through: 30, position: 3 });
  expect(await new SyncMarks(store).of(mia)).toMatchObject({ through: 30, position: 3 });
  expect(await marks.of(eve)).toMatchObject({ through: 20, position: 2 });
});
