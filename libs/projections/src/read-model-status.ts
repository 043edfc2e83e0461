import { isKept } from '#jobs';
import { type DocumentStore, type EventLog, type Position, type Projection, typesOf, UnknownCollection } from '#kernel';
import { byRunner, laneOfReadModels } from './engine/read-models-runner.js';
import { entriesOf, type LiveCollection, liveCollectionsOf } from './stored-live-collections.js';

export interface ReadModelStatus {
  readonly name: string;
  readonly version: number;
  /** Undefined if the read model was never filled. */
  readonly live: { readonly collection: string; readonly version: number; readonly documents: number } | undefined;
  /** How many events of the log it does not reflect yet. */
  readonly behind: number;
  readonly isBeingRebuilt: boolean;
  /** An older build moved the checkpoint without it, so the next worker rebuilds it (D112). */
  readonly isMissingEvents: boolean;
}

const EVENTS_PER_PAGE = 1_000;

export const readModelStatus = async (
  projections: readonly Projection[],
  log: EventLog,
  store: DocumentStore,
): Promise<ReadModelStatus[]> => {
  const entries = await entriesOf(store, projections);
  const live = await countedCollections(store, projections);
  const missed = new Map<string, number>();
  const missing = new Set<string>();
  for (const [runner, own] of byRunner(projections)) {
    const checkpoint = await store.checkpoint(laneOfReadModels(runner));
    for (const each of own) if (!isKept(checkpoint, each)) missing.add(each.name);
    for (const [name, events] of await missedEvents(checkpoint?.position ?? 0, own, log)) missed.set(name, events);
  }
  return projections.map(({ name, version }) => {
    const current = live.get(name);
    return {
      name,
      version,
      live: current && { collection: current.collection, version: current.version, documents: current.documents },
      behind: missed.get(name) ?? 0,
      isBeingRebuilt: entries.get(name)?.rebuild !== undefined,
      isMissingEvents: missing.has(name),
    };
  });
};

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

/** How many events after the runner's checkpoint each of its read models folds. */
const missedEvents = async (
  checkpoint: Position,
  projections: readonly Projection[],
  log: EventLog,
): Promise<ReadonlyMap<string, number>> => {
  const types = typesOf(projections);
  const missed = new Map<string, number>();
  let after = checkpoint;
  for (let atEnd = false; !atEnd; ) {
    const page = await log.readLog({ after, types, limit: EVENTS_PER_PAGE });
    for (const { name, on } of projections) {
      const ofReadModel = page.events.filter(({ type }) => on.has(type));
      missed.set(name, (missed.get(name) ?? 0) + ofReadModel.length);
    }
    after = page.reached;
    atEnd = page.atEnd;
  }
  return missed;
};
