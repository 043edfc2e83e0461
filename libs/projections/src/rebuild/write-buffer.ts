import type { CollectionWrite, Document, DocumentStore, Projected, Projection, RecordedEvent } from '#kernel';
import { DocumentChanges } from '../engine/document-changes.js';
import { ProjectionEngine, type Target } from '../engine/projection-engine.js';

type Stored = Projected<Document>;

/** The limit of one write, which takes about 20 ms. Other writers wait that long. */
const WRITE_LIMIT = { documents: 5_000, bytes: 2 * 1024 * 1024 };

/** An event that the folds of a read model cannot process. */
export interface FoldFailure {
  readonly readModel: Projection;
  readonly event: RecordedEvent;
  readonly error: unknown;
}

export type OnFoldFailure = (failure: FoldFailure) => void;

interface BufferedCollection {
  readonly collection: string;
  readonly readModel: Projection;
  changes: DocumentChanges;
  /** These changes are being written, and cannot be read from the store yet. */
  flushing: DocumentChanges;
}

/**
 * Buffers changes to collections that have no other writer. A document that changes often is written
 * once, a document that is soon removed never, and, because ids are written in order, each page of an index once. The
 * next changes are collected while a flush is under way.
 */
export class WriteBuffer {
  private readonly engine: ProjectionEngine;
  private readonly collections: readonly BufferedCollection[];
  private flushUnderWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<DocumentStore, 'getMany'>,
    targets: readonly Target[],
    private readonly onFailure: OnFoldFailure | undefined = undefined,
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

  /** Folds the events into the buffered and the stored documents. */
  async apply(events: readonly RecordedEvent[]): Promise<void> {
    this.engine.fold(
      events,
      this.collections.map(({ changes }) => changes),
    );
    for (const { collection, changes, flushing } of this.collections) {
      await changes.load((ids) => this.read(collection, flushing, ids));
    }
  }

  /** Starts to write all changes in batches, after the flush before it. Rejects if that one failed. */
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
