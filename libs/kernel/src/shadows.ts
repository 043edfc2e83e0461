import type { DocumentStore, Lease } from './document-store.js';
import type { Position } from './event.js';
import type { EventLog } from './event-log.js';
import { LIVE_COLLECTIONS, type LiveCollection, nextCollection } from './live-collections.js';
import { type Projection, typesOf } from './projection.js';
import type { Target } from './projection-engine.js';
import { Unwritten } from './unwritten.js';

/** More events at once mean longer pauses for everything else. */
const PAGE = 1_000;
/** Documents that are kept in memory before they are written; as many again are being written. */
const UNWRITTEN_BYTES = 4 * 1024 * 1024;

/** How far shadows are filled. */
export interface RebuildProgress {
  /** How many events they have been told, of those that they want. */
  readonly events: number;
  /** How much of the log they have seen, from 0 to 1. */
  readonly share: number;
}

export type OnProgress = (progress: RebuildProgress) => void;

/** Collections that are filled from the beginning of the log while others serve. */
export class Shadows {
  private reached: Position = 0;
  private events = 0;
  private readonly unwritten: Unwritten;
  private readonly types: ReadonlySet<string>;

  private constructor(
    readonly targets: readonly Target[],
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly turn: Lease,
    private readonly onProgress: OnProgress,
  ) {
    this.unwritten = new Unwritten(store, targets);
    this.types = typesOf(targets.map(({ projection }) => projection));
  }

  /** Makes them, empty, also where an earlier turn did not finish. */
  static async make(
    projections: readonly Projection[],
    live: ReadonlyMap<string, LiveCollection>,
    log: EventLog,
    store: DocumentStore,
    turn: Lease,
    onProgress: OnProgress,
  ): Promise<Shadows> {
    const targets = projections.map((projection) => ({
      projection,
      collection: nextCollection(projection, live.get(projection.name)),
    }));
    for (const { collection } of targets) await store.drop(collection);
    await store.ensure(
      targets.map(({ collection, projection: { indexes } }) => ({ name: collection, indexes: [], later: indexes })),
    );
    await store.write(
      [{ collection: LIVE_COLLECTIONS.name, put: targets.flatMap((target) => noted(target, live, turn.fence)) }],
      { name: turn.name, position: 0, fence: turn.fence },
    );
    return new Shadows(targets, log, store, turn, onProgress);
  }

  /** Brings them to the head, or to a position before it. */
  async fill(signal: AbortSignal, through = Number.POSITIVE_INFINITY): Promise<void> {
    const head = await this.log.head();
    const { name, fence } = this.turn;
    while (this.reached < through) {
      signal.throwIfAborted();
      const page = await this.log.readLog({ after: this.reached, types: this.types, limit: PAGE });
      const isBeyond = page.reached > through;
      const events = isBeyond ? page.events.filter(({ position }) => position <= through) : page.events;
      await this.unwritten.apply(events);
      const atEnd = page.atEnd || page.reached >= through;
      const reached = isBeyond ? through : page.reached;
      if (atEnd || this.unwritten.bytes > UNWRITTEN_BYTES) {
        await this.unwritten.write((writes) => this.store.write(writes, { name, position: reached, fence }));
      }
      this.reached = reached;
      this.events += events.length;
      if (atEnd) await this.settle(reached);
      this.onProgress({ events: this.events, share: atEnd ? 1 : reached / Math.max(head, reached) });
      if (atEnd) return;
    }
  }

  /** Rejects where another has taken the turn, also if there was nothing left to write. */
  private async settle(position: Position): Promise<void> {
    await this.unwritten.written();
    await this.store.write([], { name: this.turn.name, position, fence: this.turn.fence });
  }

  /** Makes them fit to be read by their indexes. One at a time: while one is made, nobody else may be able to write. */
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

/** So that others see what is under way. */
const noted = (
  { projection, collection }: Target,
  live: ReadonlyMap<string, LiveCollection>,
  fence: number,
): LiveCollection[] => {
  const current = live.get(projection.name);
  return current === undefined ? [] : [{ ...current, shadow: { collection, fence } }];
};
