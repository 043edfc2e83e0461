import { type DocumentStore, type EventLog, type Lease, type Position, type Projection, typesOf } from '#kernel';
import type { Target } from '../engine/projection-engine.js';
import {
  LIVE_COLLECTIONS,
  type LiveCollection,
  liveCollectionsOf,
  nextCollection,
} from '../stored-live-collections.js';
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

interface Shadow extends Target {
  /** What serves; undefined for a read model that was never filled. */
  readonly live: LiveCollection | undefined;
}

/** Shadow collections: they are filled from the start of the log while the live collections serve. */
export class RebuildTargets {
  private reached: Position = 0;
  private events = 0;
  private readonly writeBuffer: WriteBuffer;
  private readonly types: ReadonlySet<string>;

  private constructor(
    readonly targets: readonly Shadow[],
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly lease: Lease,
    private readonly onProgress: OnProgress,
    onFailure: OnFoldFailure | undefined,
  ) {
    this.writeBuffer = new WriteBuffer(store, targets, onFailure);
    this.types = typesOf(targets.map(({ projection }) => projection));
  }

  /** Creates them empty; what an interrupted rebuild has left of them is dropped. */
  static async create(
    projections: readonly Projection[],
    log: EventLog,
    store: DocumentStore,
    lease: Lease,
    onProgress: OnProgress,
    onFailure: OnFoldFailure | undefined,
  ): Promise<RebuildTargets> {
    const known = await liveCollectionsOf(store, projections);
    const targets = projections.map((projection) => {
      const live = known.get(projection.name);
      return { projection, collection: nextCollection(projection, live), live };
    });
    for (const { collection } of targets) await store.drop(collection);
    await store.ensure(
      targets.map(({ collection, projection: { indexes } }) => ({ name: collection, indexes: [], later: indexes })),
    );
    await store.write(
      [{ collection: LIVE_COLLECTIONS.name, put: targets.flatMap((target) => withShadow(target, lease.fence)) }],
      { name: lease.name, position: 0, fence: lease.fence },
    );
    return new RebuildTargets(targets, log, store, lease, onProgress, onFailure);
  }

  /** Folds the log into them, up to its head or to a position before that. */
  async fill(signal: AbortSignal, through = Number.POSITIVE_INFINITY): Promise<void> {
    const head = await this.log.head();
    const { name, fence } = this.lease;
    while (this.reached < through) {
      signal.throwIfAborted();
      const page = await this.log.readLog({ after: this.reached, types: this.types, limit: EVENTS_PER_PAGE });
      const isBeyond = page.reached > through;
      const events = isBeyond ? page.events.filter(({ position }) => position <= through) : page.events;
      await this.writeBuffer.apply(events);
      const atEnd = page.atEnd || page.reached >= through;
      const reached = isBeyond ? through : page.reached;
      if (atEnd || this.writeBuffer.bytes > WRITE_BUFFER_BYTES) {
        await this.writeBuffer.flush((writes) => this.store.write(writes, { name, position: reached, fence }));
      }
      this.reached = reached;
      this.events += events.length;
      if (atEnd) await this.finish(reached);
      this.onProgress({ events: this.events, share: atEnd ? 1 : reached / Math.max(head, reached) });
      if (atEnd) return;
    }
  }

  /** Rejects if another process has taken the lease, also if there was nothing left to write. */
  private async finish(position: Position): Promise<void> {
    await this.writeBuffer.flushed();
    await this.store.write([], { name: this.lease.name, position, fence: this.lease.fence });
  }

  /** Creates the indexes one at a time, because a store may refuse other writes while it creates one. */
  async index(signal: AbortSignal): Promise<void> {
    for (const { collection, projection } of this.targets) {
      for (const index of projection.indexes) {
        signal.throwIfAborted();
        await this.store.ensure([{ name: collection, indexes: [index] }]);
      }
    }
  }

  async drop(): Promise<void> {
    for (const { collection } of this.targets) await this.store.drop(collection);
  }
}

/** Says in the live collection's document that a shadow is being filled, for `readModelStatus`. */
const withShadow = ({ collection, live }: Shadow, fence: number): LiveCollection[] =>
  live === undefined ? [] : [{ ...live, shadow: { collection, fence } }];
