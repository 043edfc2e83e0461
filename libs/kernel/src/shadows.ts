import type { DocumentStore, Lease } from './document-store.js';
import type { Position } from './event.js';
import type { EventLog } from './event-log.js';
import { Filling } from './filling.js';
import { IdFilter } from './id-filter.js';
import { type FillLane, inLanes, type LaneProgress } from './lanes.js';
import { LIVE_COLLECTIONS, type LiveCollection, nextCollection } from './live-collections.js';
import type { Projection } from './projection.js';
import type { Target } from './projection-engine.js';

/** Events after which it is worth the start of some threads to go on in lanes. */
const WORTH_LANES = 20_000;

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
  private filling: Filling;

  private constructor(
    readonly targets: readonly Target[],
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly turn: Lease,
    private readonly onProgress: OnProgress,
    private fillLane: FillLane | undefined,
  ) {
    const stored = new IdFilter();
    const empty = targets.map((target) => ({ ...target, stored }));
    this.filling = new Filling(empty, log, store, turn, 0);
  }

  /** Makes them, empty, also where an earlier turn did not finish. */
  static async make(
    projections: readonly Projection[],
    live: ReadonlyMap<string, LiveCollection>,
    log: EventLog,
    store: DocumentStore,
    turn: Lease,
    onProgress: OnProgress,
    fillLane: FillLane | undefined,
  ): Promise<Shadows> {
    const targets = projections.map((projection) => ({
      projection,
      collection: nextCollection(projection, live.get(projection.name)),
    }));
    for (const { collection } of targets) await store.drop(collection);
    await store.ensure(targets.map(({ collection, projection: { indexes } }) => ({ name: collection, indexes })));
    await store.write(
      [{ collection: LIVE_COLLECTIONS.name, put: targets.flatMap((target) => noted(target, live, turn.fence)) }],
      { name: turn.name, position: 0, fence: turn.fence },
    );
    return new Shadows(targets, log, store, turn, onProgress, fillLane);
  }

  /** Brings them to the head, or to a position before it. */
  async fill(signal: AbortSignal, through = Number.POSITIVE_INFINITY): Promise<void> {
    const head = await this.log.head();
    for (let atEnd = this.filling.reached >= through; !atEnd; ) {
      signal.throwIfAborted();
      if (this.fillLane !== undefined && sum(this.filling.seen) >= WORTH_LANES) {
        await this.fillInLanes(this.fillLane, Math.min(head, through), signal);
      }
      atEnd = await this.filling.next(through);
      this.tell(this.filling, atEnd ? this.filling.reached : head);
    }
  }

  private async fillInLanes(fillLane: FillLane, through: Position, signal: AbortSignal): Promise<void> {
    // What is left afterwards is little.
    this.fillLane = undefined;
    await this.filling.settle();
    const { targets, seen, reached: after } = this.filling;
    const lanes = inLanes(targets, seen).map((lane) => {
      const stored = lane[0]?.stored.copy() ?? new IdFilter();
      return { targets: lane.map((target) => ({ ...target, stored })), stored, reached: after, seen: EMPTY };
    });
    const total = () => ({ reached: Math.min(...lanes.map(({ reached }) => reached)), seen: merged(seen, lanes) });
    const failed = new AbortController();
    const fill = async (lane: (typeof lanes)[number]) => {
      const names = lane.targets.map(({ projection: { name: projection }, collection }) => ({
        projection,
        collection,
      }));
      const { name, fence } = this.turn;
      const task = { targets: names, stored: lane.stored.bytes, turn: { name, fence }, after, through };
      await fillLane(task, AbortSignal.any([signal, failed.signal]), (progress) => {
        Object.assign(lane, progress);
        this.tell(total(), through);
      });
    };
    try {
      await Promise.all(lanes.map(fill));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
    const filled = lanes.flatMap((lane) => lane.targets);
    this.filling = new Filling(filled, this.log, this.store, this.turn, through, total().seen);
  }

  private tell({ reached, seen }: LaneProgress, head: Position): void {
    this.onProgress({ events: sum(seen), share: reached / Math.max(head, reached) });
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

const EMPTY: ReadonlyMap<string, number> = new Map();

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, count) => all + count, 0);

/** What was seen before, and since then by any of the lanes: an event that two have read is one event. */
const merged = (before: ReadonlyMap<string, number>, lanes: readonly LaneProgress[]): Map<string, number> => {
  const since = new Map<string, number>();
  for (const { seen } of lanes) {
    for (const [type, count] of seen) since.set(type, Math.max(since.get(type) ?? 0, count));
  }
  const all = new Map(before);
  for (const [type, count] of since) all.set(type, (all.get(type) ?? 0) + count);
  return all;
};
