/** The part of the kernel that the threads of storage adapters load. It imports no packages, so a thread starts fast. */

export * from './events/event.js';
export * from './instant.js';
export { DatabaseBusy, isBusy, retryWhileBusy, retryWhileBusySync } from './stores/busy-database.js';
export { type DatabaseSettings, openDatabase } from './stores/database.js';
export * from './stores/document-store.js';
export * from './stores/event-log.js';
export { GroupCommit } from './stores/group-commit.js';
export * from './stores/private-file.js';
export { parseTime } from './time-text.js';
