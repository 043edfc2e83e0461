import { Caches } from '#kernel';
import { eventLogContract } from '../contract/index.js';
import { temporaryLog } from './testing/temporary-log.js';

const openWith = (caches: Caches) => async () => {
  const temporary = await temporaryLog();
  const open = () => temporary.open({ caches });
  return { log: open(), reopen: async () => open(), close: () => temporary.close() };
};

eventLogContract('the event log on SQLite', openWith(Caches.ON), { idsUniqueInLog: true });
eventLogContract('the event log on SQLite without caches', openWith(Caches.OFF), { idsUniqueInLog: true });
