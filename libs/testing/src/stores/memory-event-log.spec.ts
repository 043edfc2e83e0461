import { eventLogContract } from '../../../event-log/src/contract/index.js';
import { InMemoryEventLog } from './memory-event-log.js';

const open = async () => {
  const log = new InMemoryEventLog();
  return { log, close: () => log.close() };
};

eventLogContract('the event log in memory', open, { idsUniqueInLog: true });
