export { InMemoryEventLog } from './memory/memory-event-log.js';
export { openSqliteEventLog, type SqliteEventLogOptions } from './sqlite/open.js';
