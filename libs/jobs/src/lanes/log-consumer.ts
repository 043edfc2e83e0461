import type { Checkpoint, CollectionWrite, EventLog, LogPage, RecordedEvent } from '#kernel';
import type { DeadLetterRecorded, DeadLetterRetried } from '../dead-letters/dead-letter.js';

/** What a consumer's documents are replaced by, and where in the log it goes on. */
export interface NewBeginning extends Pick<Checkpoint, 'position' | 'event'> {
  readonly writes: readonly CollectionWrite[];
}

export interface LogConsumer {
  readonly name: string;
  /** Its name in earlier versions: where its checkpoint is, and what it has set aside, until it has run under the new one. */
  readonly formerName?: string | undefined;
  readonly types: ReadonlySet<string>;
  /** The read models, by name and version, that it keeps up to date (D112). */
  readonly readModels?: Readonly<Record<string, number>>;
  /** Is called before its lane starts from the checkpoint. Creates what the consumer needs. */
  prepare?(signal: AbortSignal, checkpoint: Checkpoint): Promise<void>;
  /** Is called every half second, when all consumers have handled a page and none has the next. */
  betweenPages?(checkpoint: Checkpoint): Promise<void>;
  /**
   * Is called when its documents turn out to be of another log (D92). Returns what to write in their place, and where in
   * the log to go on. Without it, the consumer goes on at the start, and keeps nothing that it must not find there.
   */
  beginAgain?(log: EventLog): Promise<NewBeginning>;
  /**
   * Is called when this process starts to run the consumer, and after each failure, also of a write. Drops all that the
   * consumer keeps in memory, because it may be old or not written.
   */
  takeOver?(): Promise<void>;
  /**
   * Is called when this process no longer runs the consumer, because it no longer leads or stops. Drops what the consumer
   * keeps in memory: another process may change it, or erase personal data in it.
   */
  forget?(): void;
  /** Handles a page at least once, or only for one of its parts. The returned writes and the checkpoint are one write. */
  handle(page: LogPage, part?: string): Promise<readonly CollectionWrite[]>;
  /** The parts that handle the event independently: if one fails, the others still handle the event. */
  parts?(event: RecordedEvent): readonly string[];
  /** Handles a set-aside event again (D67); a consumer without it repairs such events in another way. */
  retry?(event: RecordedEvent, retried: RecordedEvent<DeadLetterRetried>): Promise<readonly CollectionWrite[]>;
  noteDeadLetter?(event: RecordedEvent<DeadLetterRecorded>): Promise<readonly CollectionWrite[]>;
}

/** Consumers that follow the log together, with one checkpoint. */
export interface LaneDefinition {
  /** Also the name of its checkpoint. */
  readonly name: string;
  readonly consumers: readonly LogConsumer[];
  /** It handles a page when this lane has passed it. */
  readonly behind?: string | undefined;
  /** No answer waits for it if this is false. */
  readonly isAwaited?: boolean;
}
