/** The part of the kernel that the threads of storage adapters load. It imports no packages, so a thread starts fast. */
export {
  categoryOf,
  type EventInLog,
  type EventToAppend,
  NO_EVENTS,
  type Position,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from './events/event.js';
export { type Duration, type Instant, parseTime, SECOND } from './instant.js';
export { DatabaseBusy, isBusy, retryWhileBusy, retryWhileBusySync } from './stores/busy-database.js';
export { type DatabaseSettings, openDatabase, runInTransaction } from './stores/database.js';
export {
  type Checkpoint,
  type CollectionDefinition,
  type CollectionWrite,
  type Document,
  DocumentStore,
  Fenced,
  type IndexDefinition,
  type IndexedValue,
  idOfRemoval,
  type Lease,
  type RangeQuery,
  UnknownCollection,
  WORKER_LEASE,
} from './stores/document-store.js';
export {
  type Appended,
  EventLog,
  type ExpectedRevision,
  InvalidAppend,
  type LogChanges,
  type LogFilter,
  type LogPage,
  MAX_APPEND_BYTES,
  MAX_APPEND_EVENTS,
  type ReadLog,
  type ReadStream,
  StoreUnavailable,
  WrongExpectedRevision,
} from './stores/event-log.js';
export { GroupCommit } from './stores/group-commit.js';
export { codeOf, errcodeOf, messageOf } from './stores/node-error.js';
export { ensurePrivateFile, ensurePrivateFolder } from './stores/private-file.js';
