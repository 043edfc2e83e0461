export { CLOCK_FAULTS, ClockWatch } from './clock-watch.js';
export { FairSemaphore, type Grant, type Permit, type PermitLimits } from './concurrency/fair-semaphore.js';
export { KeyedMutex } from './concurrency/keyed-mutex.js';
export {
  type AnnouncedStreams,
  type Announcements,
  type AnyDecider,
  announcesNothing,
  type ContextDefinition,
  type PublicAnnouncement,
  provided,
} from './contexts/context-definition.js';
export { Repository, repositoryOf, repositoryProvider } from './contexts/repository.js';
export { askAgain, askingOnce } from './deciding/aggregate-cache.js';
export { type Cause, type CommandContext, ConsistencyToken, processContext } from './deciding/command-context.js';
export { CommandRunner, type Decision } from './deciding/command-runner.js';
export { type Decider, emptyState, foldEvent, holds, type LoadedState, unknownEvent } from './deciding/decider.js';
export {
  DASHBOARD_ERROR_CODES,
  DomainError,
  ERROR_CODES,
  type ErrorCode,
  type FieldError,
  idFilter,
  invalidRequest,
  notFound,
} from './errors.js';
export {
  categoryOf,
  type DomainEvent,
  type EventInLog,
  type EventMetadata,
  type EventToAppend,
  eventInLog,
  type JsonValue,
  NO_EVENTS,
  type Position,
  type RecordedEvent,
  type Revision,
  type StreamName,
  streamId,
  streamName,
} from './events/event.js';
export {
  ENCRYPTED,
  ERASED,
  holdsEncrypted,
  holdsStandIn,
  isStandIn,
  PersonalDataUnreadable,
  withoutMark,
} from './events/stand-in.js';
export {
  type AgencyId,
  agencyId,
  type Branded,
  bytesOfTypeId,
  type CaseId,
  type CreatorId,
  type DeindexRequestId,
  derivedId,
  derivedUuid,
  ID_PREFIXES,
  type IdKind,
  type ImpersonationId,
  type KeyId,
  newEventId,
  newId,
  type PublicEventId,
  type Published,
  parseId,
  parseUserId,
  type ScanId,
  typeIdOfBytes,
  type UserId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WorkspaceId,
} from './ids.js';
export {
  ageOf,
  Clock,
  DAY,
  type Duration,
  HOUR,
  type Instant,
  MAX_CLOCK_SKEW,
  MINUTE,
  NEVER,
  parseTime,
  type RetryDelays,
  retryDelay,
  SECOND,
  systemClock,
} from './instant.js';
export { Logger, silentLogger } from './logger.js';
export { type Cache, Caches, partBySize } from './memory/caches.js';
export { CompactMap } from './memory/compact-map.js';
export { memorySizeOf } from './memory/memory-size.js';
export { nextPart } from './next-part.js';
export { advanceOutboundCall, endDeadLetter, type OutboundCallProtocol } from './outside/advance-outbound-call.js';
export { type CallMade, type Effect, isRefusedWith, performEffect } from './outside/effect.js';
export { decideAfterWait, OUTCOME_TIMEOUT, type OutboundCall, type Wanted } from './outside/outbound-call.js';
export { isRecordedSince, type Reading, type RecordPage, type RefusedRecord } from './outside/reading.js';
export { LanePositions } from './read-models/lane-positions.js';
export {
  type EventProjection,
  LiveCollections,
  type Projected,
  type Projection,
  projection,
  typesOf,
  withLiveCollection,
} from './read-models/projection.js';
export { DATA_FILES, RESTORING, refuseUnfinishedRestore, UnfinishedRestore } from './stores/data-folder.js';
export {
  damageOfCopy,
  openCopyForReading,
  openDatabaseForReading,
  refuseDamagedCopy,
  requireFile,
} from './stores/database-for-reading.js';
export {
  BackgroundDocumentStore,
  type Checkpoint,
  type CheckpointEvent,
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
  type Removal,
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
  type LogTail,
  MAX_APPEND_BYTES,
  MAX_APPEND_EVENTS,
  type ReadLog,
  type ReadStream,
  type SeenEvent,
  StoreUnavailable,
  WrongExpectedRevision,
} from './stores/event-log.js';
export { InvalidStoreUrl, MissingKeys, MissingLog, UnfinishedCopy, WrongMasterKey } from './stores/key-errors.js';
export { asLeader, assertLeading, NotLeading } from './stores/leading.js';
export { followLog, retryUntilDone } from './stores/log-following.js';
export { eventsOf, eventsOfStream, isOfLog, newestEventsOfStream } from './stores/log-walk.js';
export {
  ensurePrivateFile,
  ensurePrivateFolder,
  foreignTo,
  giveToOwnerOf,
  syncToDisk,
} from './stores/private-file.js';
export type { DamagedEvent, ReadableLog, StoredEvent, StoredLog, StoredRecord } from './stores/stored-log.js';
export { SyncCursors } from './stores/sync-cursors.js';
export { renamedTypes, type Upcaster, upcasting, withUpcasters } from './stores/upcasting.js';
export type { AnyTaskRules, TaskRule } from './tasks/task.js';
export {
  DUE_GRACE,
  NO_TIME_LIMIT,
  type OptionsOf,
  type QueueOutcome,
  type StoredTask,
  type Task,
  type TaskJob,
  type TaskJobs,
  type TaskOutcome,
  taskId,
  taskOf,
} from './tasks/task.js';
export { haveWords, soughtWords, wordsOf } from './text/words.js';
export {
  givenText,
  INVISIBLE,
  isBlank,
  isBoundedText,
  requireVisibleKey,
  textProblem,
  withoutInvisible,
  withoutInvisibleEnds,
} from './text.js';
