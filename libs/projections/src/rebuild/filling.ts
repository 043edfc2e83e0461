import {
  type CollectionWrite,
  type DocumentStore,
  type EventLog,
  type Position,
  typesOf,
  UnknownCollection,
} from '#kernel';
import type { Target } from '../engine/projection-engine.js';
import { type OnFoldFailure, WriteBuffer } from './write-buffer.js';

/** A larger page blocks the event loop for longer. */
const EVENTS_PER_PAGE = 1_000;
/** The size of the buffered documents at which a flush starts. As many again may be in the flush before it. */
const WRITE_BUFFER_BYTES = 4 * 1024 * 1024;

export interface RebuildProgress {
  /** How many events of the types of these read models have been folded. */
  readonly events: number;
  /** The part of the log that has been read, from 0 to 1. */
  readonly share: number;
}

export type OnProgress = (progress: RebuildProgress) => void;

/** Folds the log into collections that nobody reads yet, up to one position after another. */
export class Filling {
  private events = 0;
  private readonly writeBuffer: WriteBuffer;
  private readonly types: ReadonlySet<string>;

  constructor(
    targets: readonly Target[],
    private readonly log: EventLog,
    store: DocumentStore,
    private readonly write: (writes: readonly CollectionWrite[], reached: Position) => Promise<void>,
    onFailure: OnFoldFailure | undefined,
    private readonly onProgress: OnProgress = () => undefined,
    /** The collections have everything up to here. */
    public reached: Position = 0,
  ) {
    const getMany: DocumentStore['getMany'] = (collection, ids) =>
      unlessDropped(store.getMany(collection, ids), [] as never);
    this.writeBuffer = new WriteBuffer({ getMany }, targets, onFailure, reached === 0);
    this.types = typesOf(targets.map(({ projection }) => projection));
  }

  /** Ends earlier if this log does not reach the position yet. */
  async through(position: Position, signal: AbortSignal): Promise<void> {
    while (this.reached < position) {
      signal.throwIfAborted();
      const page = await this.log.readLog({ after: this.reached, types: this.types, limit: EVENTS_PER_PAGE });
      const isEnough = page.atEnd || page.reached >= position;
      const events = page.events.filter((event) => event.position <= position);
      const reached = Math.min(page.reached, position);
      await this.writeBuffer.apply(events);
      if (isEnough || this.writeBuffer.bytes > WRITE_BUFFER_BYTES) {
        await this.writeBuffer.flush((writes) => unlessDropped(this.write(writes, reached), undefined));
      }
      if (isEnough) await this.writeBuffer.flushed();
      this.reached = reached;
      this.events += events.length;
      this.onProgress({ events: this.events, share: reached / position });
      if (isEnough) return;
    }
  }
}

/** A later rebuild has replaced one of the collections, and the others are still wanted. */
const unlessDropped = <T>(result: Promise<T>, otherwise: T): Promise<T> =>
  result.catch((error: unknown) => {
    if (error instanceof UnknownCollection) return otherwise;
    throw error;
  });
