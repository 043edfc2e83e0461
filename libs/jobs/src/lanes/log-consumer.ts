import type { Checkpoint, CollectionWrite, DomainEvent, EventLog, LogPage, RecordedEvent } from '#kernel';
import type { DeadLetterRetried } from '../dead-letters/dead-letters.js';

type ReactionRows<Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: (event: RecordedEvent<Extract<Event, { type: Type }>>) => Promise<unknown>;
};

/** Handles events with commands, in log order, at least once each. */
export abstract class Reaction<Event extends DomainEvent> implements LogConsumer {
  readonly types: ReadonlySet<string>;
  // The cast is safe: a row is looked up by the type of the event, so it gets only events of that type.
  private readonly rows: ReadonlyMap<string, (event: RecordedEvent) => Promise<unknown>>;

  protected constructor(
    readonly name: string,
    rows: ReactionRows<Event>,
    readonly formerName?: string,
  ) {
    this.rows = new Map(Object.entries(rows)) as Map<string, (event: RecordedEvent) => Promise<unknown>>;
    this.types = new Set(this.rows.keys());
  }

  async handle({ events }: Pick<LogPage, 'events'>): Promise<readonly CollectionWrite[]> {
    for (const event of events) await this.rows.get(event.type)?.(event);
    return [];
  }

  retry(event: RecordedEvent): Promise<readonly CollectionWrite[]> {
    return this.handle({ events: [event] });
  }
}

export interface LogConsumer {
  readonly name: string;
  /** Its name in earlier versions: where its checkpoint is, and what it has set aside, until it has run under the new one. */
  readonly formerName?: string | undefined;
  readonly types: ReadonlySet<string>;
  /** The read models, by name and version, that it keeps up to date (D112). */
  readonly readModels?: Readonly<Record<string, number>>;
  /** Is called before its lane starts from the checkpoint. */
  prepare?(signal: AbortSignal, checkpoint: Checkpoint): Promise<void>;
  /** Called every half second, when all consumers have handled a page and none has the next. */
  betweenPages?(checkpoint: Checkpoint): Promise<void>;
  /**
   * Called when its documents turn out to be of another log (D92). Drops them under the leader's fence, and returns
   * where in the log to continue. Without it, the consumer continues at the start.
   */
  beginAgain?(log: EventLog, fence: number): Promise<Pick<Checkpoint, 'position' | 'event'>>;
  /** Called at the start and after each failure, even of a write. Drops the state in memory, which may be wrong. */
  takeOver?(): Promise<void>;
  /** Called at the end. Drops the state in memory, because another process may change it, or erase personal data. */
  forget?(): void;
  /** Handles a page at least once, or only for one of its parts. The returned writes and the checkpoint are one write. */
  handle(page: LogPage, part?: string): Promise<readonly CollectionWrite[]>;
  /** The parts that handle the event independently: if one fails, the others still handle the event. */
  parts?(event: RecordedEvent): readonly string[];
  /** Handles a set-aside event again (D67); a consumer without it repairs such events in another way. */
  retry?(event: RecordedEvent, retried: RecordedEvent<DeadLetterRetried>): Promise<readonly CollectionWrite[]>;
  /** Its documents with the event by which one of its dead letters was recorded. */
  noteDeadLetter?(event: RecordedEvent): Promise<readonly CollectionWrite[]>;
}

/** Consumers that follow the log together, with one checkpoint. A consumer that writes documents has a lane to itself. */
export interface LaneDefinition {
  /** Also the name of its checkpoint. */
  readonly name: string;
  readonly consumers: readonly LogConsumer[];
  /** It handles a page when this lane of the same process has passed it, so not while that one rebuilds (D80, D92). */
  readonly behind?: string | undefined;
  /** No answer waits for it if this is false. */
  readonly isAwaited?: boolean;
}
