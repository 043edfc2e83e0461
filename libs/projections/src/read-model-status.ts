import { isDeadLocalProcess } from '#jobs';
import {
  type DocumentStore,
  type EventLog,
  type Instant,
  type Lease,
  type Projection,
  typesOf,
  UnknownCollection,
} from '#kernel';
import { byRunner } from './engine/read-models-runner.js';
import { rebuildLease } from './rebuild/rebuild-lock.js';
import { type LiveCollection, liveCollectionsOf } from './stored-live-collections.js';

export interface ReadModelStatus {
  readonly name: string;
  readonly version: number;
  /** Undefined if the read model was never filled. */
  readonly live: { readonly collection: string; readonly version: number; readonly documents: number } | undefined;
  /** How many events of the log it does not reflect yet. */
  readonly behind: number;
  readonly isBeingRebuilt: boolean;
}

const EVENTS_PER_PAGE = 1_000;

export const readModelStatus = async (
  /** Keeps the read models that name no runner. */
  usual: string,
  projections: readonly Projection[],
  log: EventLog,
  store: DocumentStore,
  now: Instant,
): Promise<ReadModelStatus[]> => {
  const live = await countedCollections(store, projections);
  const runners = new Map<string, Awaited<ReturnType<typeof runnerStatus>>>();
  for (const [runner, own] of byRunner(projections, usual)) {
    runners.set(runner, await runnerStatus(runner, own, log, store));
  }
  return projections.map(({ name, version, on, runner = usual }): ReadModelStatus => {
    const current = live.get(name);
    const status = runners.get(runner);
    return {
      name,
      version,
      live: current && { collection: current.collection, version: current.version, documents: current.documents },
      behind: [...on.keys()].reduce((sum, type) => sum + (status?.missed.get(type) ?? 0), 0),
      isBeingRebuilt: current?.shadow !== undefined && isHeld(status?.lease, current.shadow.fence, now),
    };
  });
};

const runnerStatus = async (
  runner: string,
  projections: readonly Projection[],
  log: EventLog,
  store: DocumentStore,
) => ({
  lease: await store.lease(rebuildLease(runner)),
  missed: await missedEvents(runner, projections, log, store),
});

/** The live collections and how many documents they have; read again if a rebuild has dropped one in between. */
const countedCollections = async (
  store: DocumentStore,
  projections: readonly Projection[],
  isAgain = false,
): Promise<ReadonlyMap<string, LiveCollection & { readonly documents: number }>> => {
  const live = await liveCollectionsOf(store, projections);
  try {
    const counted = [...live.values()].map(async (one) => ({ ...one, documents: await store.count(one.collection) }));
    return new Map((await Promise.all(counted)).map((one) => [one.id, one]));
  } catch (error) {
    if (isAgain || !(error instanceof UnknownCollection)) throw error;
    return countedCollections(store, projections, true);
  }
};

/** How many events of each type come after the runner's checkpoint. */
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
    const page = await log.readLog({ after, types, limit: EVENTS_PER_PAGE });
    for (const { type } of page.events) missed.set(type, (missed.get(type) ?? 0) + 1);
    after = page.reached;
    atEnd = page.atEnd;
  }
  return missed;
};

/** The process that holds the lease may have died. */
const isHeld = (lease: Lease | undefined, fence: number, now: Instant): boolean =>
  lease !== undefined && lease.fence === fence && lease.until > now && !isDeadLocalProcess(lease.holder);
