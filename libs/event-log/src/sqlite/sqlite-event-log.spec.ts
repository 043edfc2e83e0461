import { expect, test } from '@jest/globals';
import { Caches, NO_EVENTS } from '#kernel';
import { events } from '../contract/given-events.js';
import { eventLogContract } from '../contract/index.js';
import { temporaryLog } from './testing/temporary-log.js';

const openWith = (caches: Caches) => async () => {
  const temporary = await temporaryLog();
  const open = () => temporary.open({ caches });
  return { log: open(), reopen: async () => open(), close: () => temporary.close() };
};

eventLogContract('the event log on SQLite', openWith(Caches.ON), { idsUniqueInLog: true });
eventLogContract('the event log on SQLite without caches', openWith(Caches.OFF), { idsUniqueInLog: true });

test('knows without a read that a stream has not grown, also of one that it has not read', async () => {
  const temporary = await temporaryLog();
  const [log, other] = [temporary.open(), temporary.open()];
  await other.append('thing-1', 'none', events(2));
  expect([1, 2].map((revision) => log.isAt?.('thing-1', revision))).toEqual([true, true]);
  expect(log.isAt?.('thing-2', NO_EVENTS)).toBe(true);
  await temporary.close();
});
