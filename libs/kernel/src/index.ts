export { FairSemaphore, type Grant, type Permit, type PermitLimits } from './concurrency/fair-semaphore.js';
export { KeyedMutex } from './concurrency/keyed-mutex.js';
export { type AnnouncedStreams, type Announcements, announcesNothing } from './contexts/announcements.js';
export type { AnyDecider, ContextDefinition } from './contexts/context-definition.js';
export { askAgain, askingOnce } from './deciding/aggregate-cache.js';
export { type Cause, type CommandContext, ConsistencyToken, processContext } from './deciding/command-context.js';
export { CommandRunner, type Decision } from './deciding/command-runner.js';
export { type Decider, unknownEvent } from './deciding/decider.js';
export { emptyState, foldEvent, holds, type LoadedState } from './deciding/loaded-state.js';
export { Repository } from './deciding/repository.js';
export {
  DASHBOARD_ERROR_CODES,
  DomainError,
  ERROR_CODES,
  type ErrorCode,
  type FieldError,
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
export { idFilter } from './id-filter.js';
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
  SECOND,
  systemClock,
} from './instant.js';
export { Logger, silentLogger } from './logger.js';
export { type Cache, partBySize } from './memory/cache.js';
export { Caches } from './memory/caches.js';
export { CompactMap } from './memory/compact-map.js';
export { memorySizeOf } from './memory/memory-size.js';
export { nextPart } from './next-part.js';
export { advanceOrder, type OrderProtocol } from './outside/advance-order.js';
export { type CallMade, type Effect, isRefusedWith, performEffect } from './outside/effect.js';
export { ORDER_TIMEOUT, type Order, type Wanted } from './outside/order.js';
export { decideAfterWait } from './outside/order-timeout.js';
export { isRecordedSince, type Reading } from './outside/reading.js';
export type { RecordPage, RefusedRecord } from './outside/refused-record.js';
export { LanePositions } from './read-models/lane-positions.js';
export { LiveCollections, withLiveCollection } from './read-models/live-collections.js';
export {
  type EventProjection,
  type Projected,
  type Projection,
  projection,
  typesOf,
} from './read-models/projection.js';
export { type RetryDelays, retryDelay } from './retry-delay.js';
export { isOfLog } from './stores/checkpoint-of-log.js';
export { CreatorMarks } from './stores/creator-marks.js';
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
  DuplicateKey,
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
export { InvalidStoreUrl } from './stores/invalid-store-url.js';
export { MissingKeys, MissingLog, UnfinishedCopy, WrongMasterKey } from './stores/key-errors.js';
export { asLeader, assertLeading, NotLeading } from './stores/leading.js';
export { followLog, retryUntilDone } from './stores/log-following.js';
export { eventsOf, eventsOfStream, newestEventsOfStream } from './stores/log-walk.js';
export {
  ensurePrivateFile,
  ensurePrivateFolder,
  foreignTo,
  giveToOwnerOf,
  syncToDisk,
} from './stores/private-file.js';
export type { DamagedEvent, ReadableLog, StoredEvent, StoredLog, StoredRecord } from './stores/stored-log.js';
export { renamedTypes, type Upcaster, upcasting, withUpcasters } from './stores/upcasting.js';
export { DUE_GRACE, type StoredTask, type Task, taskId, taskOf } from './tasks/task.js';
export {
  NO_TIME_LIMIT,
  type OptionsOf,
  type QueueOutcome,
  type TaskJob,
  type TaskJobs,
  type TaskOutcome,
} from './tasks/task-job.js';
export type { AnyTaskRules, TaskRule } from './tasks/task-rule.js';
export { INVISIBLE, isBlank, withoutInvisible, withoutInvisibleEnds } from './text/invisible.js';
export { requireVisibleKey } from './text/visible-key.js';
export { givenText, isBoundedText, textProblem } from './text.js';
export { parseTime } from './time-text.js';
