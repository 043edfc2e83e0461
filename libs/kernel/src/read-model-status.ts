import type { DocumentStore, Lease } from './document-store.js';
import type { EventLog } from './event-log.js';
import { isDeadHere } from './holder.js';
import type { Instant } from './instant.js';
import { liveOnes } from './live-collections.js';
import { type Projection, typesOf } from './projection.js';
import { rebuildLease } from './rebuild-turns.js';

export interface ReadModelStatus {
  readonly name: string;
  /** That of the folds of this program. */
  readonly version: number;
  /** What serves; undefined where the read model was never made. */
  readonly live: { readonly collection: string; readonly version: number; readonly documents: number } | undefined;
  /** Events of the log that it has yet to be told; 0 where it is up to date. */
  readonly behind: number;
  /** Whether it is being made anew, or compared, at this moment. */
  readonly isBeingRebuilt: boolean;
  /** What is kept for a rollback. */
  readonly replaced: { readonly collection: string; readonly version: number } | undefined;
}

const PAGE = 1_000;

/** How the read models stand that a runner keeps. */
export const readModelStatus = async (
  runner: string,
  projections: readonly Projection[],
  log: EventLog,
  store: DocumentStore,
  now: Instant,
): Promise<ReadModelStatus[]> => {
  const live = await liveOnes(store, projections);
  const turn = await store.lease(rebuildLease(runner));
  const missed = await missedEvents(runner, projections, log, store);
  return Promise.all(
    projections.map(async ({ name, version, on }): Promise<ReadModelStatus> => {
      const current = live.get(name);
      return {
        name,
        version,
        live: current && {
          collection: current.collection,
          version: current.version,
          documents: await store.count(current.collection),
        },
        behind: [...on.keys()].reduce((sum, type) => sum + (missed.get(type) ?? 0), 0),
        isBeingRebuilt: current?.shadow !== undefined && isHeld(turn, current.shadow.fence, now),
        replaced: current?.replaced && {
          collection: current.replaced.collection,
          version: current.replaced.version,
        },
      };
    }),
  );
};

/** How many events of each type stand after the runner's checkpoint. */
const missedEvents = async (
  runner: string,
  projections: readonly Projection[],
  log: EventLog,
  store: DocumentStore,
): Promise<ReadonlyMap<string, number>> => {
  const types = typesOf(projections);
  const missed = new Map<string, number>();
  let after = (await store.checkpoint(runner))?.position ?? 0;
  for (let atEnd = false; !atEnd; ) {
    const page = await log.readLog({ after, types, limit: PAGE });
    for (const { type } of page.events) missed.set(type, (missed.get(type) ?? 0) + 1);
    after = page.reached;
    atEnd = page.atEnd;
  }
  return missed;
};

/** A turn that was not given back may be of a process that is no more. */
const isHeld = (turn: Lease | undefined, fence: number, now: Instant): boolean =>
  turn !== undefined && turn.fence === fence && turn.until > now && !isDeadHere(turn.holder);
