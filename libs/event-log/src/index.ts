import type { EventLog, StoredLog } from '#kernel';
import type { EventStoreDbEventLogOptions } from './eventstoredb/open.js';

export { openSqliteEventLog } from './sqlite/open.js';
export { openSqliteReadableLog } from './sqlite/readable-log.js';
export { openSqliteStoredLog } from './sqlite/stored-log.js';

// The client of EventStoreDB takes long to load, so it is loaded only when it is used.
const eventStoreDb = () => import('./eventstoredb/open.js');

export const openEventStoreDbEventLog = async (options: EventStoreDbEventLogOptions): Promise<EventLog> =>
  (await eventStoreDb()).openEventStoreDbEventLog(options);

export const openEventStoreDbStoredLog = async (
  options: Pick<EventStoreDbEventLogOptions, 'url' | 'retryFor'>,
): Promise<StoredLog> => (await eventStoreDb()).openEventStoreDbStoredLog(options);
