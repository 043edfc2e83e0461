import { expect, test } from '@jest/globals';
import { Caches } from '#kernel';
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

test('returns what has changed, or undefined if that is too much', async () => {
  const temporary = await temporaryLog();
  const [log, other] = [temporary.open(), temporary.open()];
  await other.append('thing-1', 'none', events(500));
  await other.append('thing-1', 499, events(500));
  expect(log.changesSince?.(0)).toEqual({ head: 1_000, ends: new Map([['thing-1', 999]]) });
  await other.append('thing-1', 999, events(1));
  expect(log.changesSince?.(0)).toEqual({ head: 1_001, ends: undefined });
  await temporary.close();
});
