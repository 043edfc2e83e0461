export { openEventStoreDbEventLog, openEventStoreDbStoredLog } from './eventstoredb/open.js';
export { InMemoryEventLog } from './memory/memory-event-log.js';
export { openSqliteEventLog } from './sqlite/open.js';
export { openSqliteStoredLog } from './sqlite/stored-log.js';
