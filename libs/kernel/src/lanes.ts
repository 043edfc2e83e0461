import type { DocumentStore, Lease } from './document-store.js';
import type { Position } from './event.js';
import type { EventLog } from './event-log.js';
import { Filling } from './filling.js';
import { IdFilter } from './id-filter.js';
import { type Projection, typesOf } from './projection.js';
import type { Target } from './projection-engine.js';

/** As many as are filled at once: each reads the log by itself. */
const LANES = 2;

/** Some of the collections that a rebuild fills, for a thread of their own. */
export interface Lane {
  readonly targets: readonly { readonly projection: string; readonly collection: string }[];
  /** Which ids they may hold, as an `IdFilter` has it; the lane's alone until it is done. */
  readonly stored: SharedArrayBuffer;
  readonly turn: Pick<Lease, 'name' | 'fence'>;
  /** They have been filled up to there, and are to be filled from there on. */
  readonly after: Position;
  readonly through: Position;
}

/** How far a lane is, and how many events of each type it has been told. */
export interface LaneProgress {
  readonly reached: Position;
  readonly seen: ReadonlyMap<string, number>;
}

/** Fills a lane in a thread of its own, and ends the thread when the signal is aborted. */
export type FillLane = (lane: Lane, signal: AbortSignal, onProgress: (progress: LaneProgress) => void) => Promise<void>;

/** What the thread does. */
export const fillHere = async (
  { targets, stored, turn, after, through }: Lane,
  projections: readonly Projection[],
  log: EventLog,
  store: DocumentStore,
  onProgress: (progress: LaneProgress) => void,
): Promise<void> => {
  const ids = new IdFilter(stored);
  const empty = targets.map(({ projection: name, collection }) => {
    const projection = projections.find((each) => each.name === name);
    if (projection === undefined) throw new Error(`there is no projection ${name}`);
    return { projection, collection, stored: ids };
  });
  const filling = new Filling(empty, log, store, turn, after);
  for (let atEnd = false; !atEnd; ) {
    atEnd = await filling.next(through);
    onProgress(filling);
  }
};

/**
 * Which targets go together, so that none of the lanes takes much longer than another: to read an event and to fold it
 * for one target take about as long. `seen` says how many events of each type there are, or were so far.
 */
export const inLanes = <T extends Target>(targets: readonly T[], seen: ReadonlyMap<string, number>): T[][] => {
  const count = (types: Iterable<string>): number => [...types].reduce((sum, type) => sum + (seen.get(type) ?? 0), 0);
  const cost = (lane: readonly T[]): number => {
    const projections = lane.map(({ projection }) => projection);
    return count(typesOf(projections)) + projections.reduce((sum, { on }) => sum + count(on.keys()), 0);
  };
  const longest = (lanes: readonly T[][]): number => Math.max(...lanes.map(cost));
  let best: T[][] = [[...targets]];
  // The first is always in the first lane: another name for a lane makes no other choice.
  for (let choice = 1; choice < LANES ** (targets.length - 1); choice++) {
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      targets.filter((_target, n) => Math.trunc(choice / LANES ** (targets.length - 1 - n)) % LANES === lane),
    );
    if (longest(lanes) < longest(best)) best = lanes;
  }
  return best.filter((lane) => lane.length > 0);
};
