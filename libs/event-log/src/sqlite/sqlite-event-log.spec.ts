import { eventLogContract } from '../contract/index.js';
import { temporaryLog } from './testing/temporary-log.js';

const open = async () => {
  const temporary = await temporaryLog();
  return { log: temporary.open(), reopen: async () => temporary.open(), close: () => temporary.close() };
};

eventLogContract('the event log on SQLite', open, { idsUniqueInLog: true });
