import {
  type Checkpoint,
  type CollectionWrite,
  type Document,
  type DocumentStore,
  type EventLog,
  type Position,
  type Projected,
  type Projection,
  type RecordedEvent,
  typesOf,
  UnknownCollection,
} from '#kernel';
import { DocumentChanges } from '../engine/document-changes.js';
import { ProjectionEngine, type Target } from '../engine/projection-engine.js';

/** A larger page blocks the event loop for longer. */
const EVENTS_PER_PAGE = 1_000;
/** The size of the buffered documents at which a flush starts. As many again may be in the flush before it. */
const WRITE_BUFFER_BYTES = 4 * 1024 * 1024;

export interface RebuildProgress {
  /** How many events of these read models' types have been folded. */
  readonly events: number;
  /** The part of the log that has been read, from 0 to 1. */
  readonly share: number;
}

export type OnProgress = (progress: RebuildProgress) => void;

/** Folds the log into collections that nobody reads yet, up to one position after another. */
export class Filling {
  readonly failures: FoldFailure[] = [];
  private events = 0;
  private readonly writeBuffer: WriteBuffer;
  private readonly types: ReadonlySet<string>;

  constructor(
    targets: readonly Target[],
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly onProgress: OnProgress = () => undefined,
    /** The collections have everything up to here. */
    public reached: Position = 0,
    /** The leader's, whose fence guards the writes. */
    private readonly checkpoint?: Checkpoint,
  ) {
    const onFailure = (failure: FoldFailure) => void this.failures.push(failure);
    const getMany: DocumentStore['getMany'] = (collection, ids) =>
      unlessDropped(store.getMany(collection, ids), [] as never);
    this.writeBuffer = new WriteBuffer({ getMany }, targets, onFailure, reached === 0);
    this.types = typesOf(targets.map(({ projection }) => projection));
  }

  /** Ends earlier if this log does not reach the position yet. */
  async through(position: Position, signal?: AbortSignal): Promise<void> {
    while (this.reached < position) {
      signal?.throwIfAborted();
      const page = await this.log.readLog({ after: this.reached, types: this.types, limit: EVENTS_PER_PAGE });
      const isEnough = page.atEnd || page.reached >= position;
      const events = page.events.filter((event) => event.position <= position);
      const reached = Math.min(page.reached, position);
      await this.writeBuffer.apply(events);
      if (isEnough || this.writeBuffer.bytes > WRITE_BUFFER_BYTES) {
        const { store, checkpoint } = this;
        await this.writeBuffer.flush((writes) => unlessDropped(store.write(writes, checkpoint, reached), undefined));
      }
      if (isEnough) await this.writeBuffer.flushed();
      this.reached = reached;
      this.events += events.length;
      this.onProgress({ events: this.events, share: reached / position });
      if (isEnough) return;
    }
  }
}

/** A later rebuild has replaced one of the collections, and the others are still needed. */
const unlessDropped = <T>(result: Promise<T>, otherwise: T): Promise<T> =>
  result.catch((error: unknown) => {
    if (error instanceof UnknownCollection) return otherwise;
    throw error;
  });

type Stored = Projected<Document>;

/** The limit of one write, which takes about 20 ms. Other writers wait that long. */
const WRITE_LIMIT = { documents: 5_000, bytes: 2 * 1024 * 1024 };

/** An event that the folds of a read model cannot process. */
export interface FoldFailure {
  readonly readModel: Projection;
  readonly event: RecordedEvent;
  readonly error: unknown;
}

interface BufferedCollection {
  readonly collection: string;
  readonly readModel: Projection;
  changes: DocumentChanges;
  /** These changes are being written, and cannot be read from the store yet. */
  flushing: DocumentChanges;
}

/**
 * Buffers changes to collections that have no other writer. A document that changes often is written once, and each page of
 * an index too, because ids are written in order. The next changes are collected while a flush is under way.
 */
export class WriteBuffer {
  private readonly engine: ProjectionEngine;
  private readonly collections: readonly BufferedCollection[];
  private flushUnderWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<DocumentStore, 'getMany'>,
    targets: readonly Target[],
    private readonly onFailure?: (failure: FoldFailure) => void,
    /** As long as the collections are empty, nothing is read from them. */
    private areEmpty = true,
  ) {
    this.collections = targets.map(({ collection, projection }) => {
      return { collection, readModel: projection, changes: this.noChanges(projection), flushing: NONE };
    });
    this.engine = new ProjectionEngine(targets);
  }

  /** The approximate size in memory of the documents that wait for a flush. */
  get bytes(): number {
    return this.collections.reduce((sum, { changes }) => sum + changes.bytes, 0);
  }

  async apply(events: readonly RecordedEvent[]): Promise<void> {
    this.engine.fold(
      events,
      this.collections.map(({ changes }) => changes),
    );
    for (const { collection, changes, flushing } of this.collections) {
      await changes.load((ids) => this.read(collection, flushing, ids));
    }
  }

  async flush(write: (writes: readonly CollectionWrite[]) => Promise<void>): Promise<void> {
    await this.flushUnderWay;
    this.areEmpty = false;
    for (const buffered of this.collections) {
      buffered.flushing = buffered.changes;
      buffered.changes = this.noChanges(buffered.readModel);
    }
    this.flushUnderWay = this.writeAll(write);
    // The next flush, or `flushed`, reports the failure.
    this.flushUnderWay.catch(() => undefined);
  }

  flushed(): Promise<void> {
    return this.flushUnderWay;
  }

  private noChanges(readModel: Projection): DocumentChanges {
    const { onFailure } = this;
    const ofReadModel = onFailure && ((event: RecordedEvent, error: unknown) => onFailure({ readModel, event, error }));
    return new DocumentChanges(!this.areEmpty, ofReadModel);
  }

  private async writeAll(write: (writes: readonly CollectionWrite[]) => Promise<void>): Promise<void> {
    for (const buffered of this.collections) {
      for (const { put, remove } of buffered.flushing.batches(WRITE_LIMIT)) {
        await write([{ collection: buffered.collection, put, remove }]);
      }
      buffered.flushing = NONE;
    }
  }

  private async read(
    collection: string,
    flushing: DocumentChanges,
    ids: readonly string[],
  ): Promise<readonly Stored[]> {
    const buffered = ids.flatMap((id) => flushing.get(id) ?? []);
    const others = ids.filter((id) => !flushing.has(id));
    return others.length === 0 ? buffered : [...buffered, ...(await this.store.getMany<Stored>(collection, others))];
  }
}

const NONE = new DocumentChanges();
