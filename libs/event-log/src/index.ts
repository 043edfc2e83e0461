export { openEventStoreDbEventLog } from './eventstoredb/open.js';
export { InMemoryEventLog } from './memory/memory-event-log.js';
export { openSqliteEventLog } from './sqlite/open.js';
