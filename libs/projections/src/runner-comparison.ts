import { isDeepStrictEqual } from 'node:util';
import { CheckpointEvents } from '#jobs';
import {
  type Checkpoint,
  type Document,
  type DocumentStore,
  type EventLog,
  Fenced,
  type Projected,
  type Projection,
  typesOf,
} from '#kernel';
import { documentPages } from './document-pages.js';
import { ProjectionEngine, type Target } from './engine/projection-engine.js';
import type { RebuildLock } from './rebuild/rebuild-lock.js';
import { type OnProgress, RebuildTargets } from './rebuild/rebuild-targets.js';
import { type LiveCollection, liveCollectionsOf } from './stored-live-collections.js';

type Stored = Projected<Document>;

/** A document that differs from the one that the log yields; undefined if a side has none. */
export interface DocumentDifference {
  readonly projection: Projection;
  readonly id: string;
  readonly live: Stored | undefined;
  readonly rebuilt: Stored | undefined;
}

export interface ComparedReadModel {
  readonly name: string;
  readonly collection: string;
  /** How many documents the log yields. */
  readonly documents: number;
}

export interface Comparison {
  readonly readModels: readonly ComparedReadModel[];
  readonly differences: readonly DocumentDifference[];
}

/** The live collection was filled by another version of the projection, so a comparison would show nothing. */
export class VersionMismatch extends Error {
  constructor(
    readonly readModel: string,
    readonly live: number | undefined,
    readonly version: number,
  ) {
    super(`${readModel} has version ${live ?? 'none'}, and this program has version ${version}`);
    this.name = 'VersionMismatch';
  }
}

interface Pair {
  readonly projection: Projection;
  readonly live: string;
  readonly shadow: string;
  /** The documents that differed in the last pass. */
  candidates: readonly string[];
}

const EVENTS_PER_PAGE = 1_000;
const DOCUMENTS_PER_READ = 1_000;
const MAX_TRIES = 3;

/** Compares read models that one runner keeps. */
export class RunnerComparison {
  constructor(
    private readonly all: readonly Projection[],
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly lock: RebuildLock,
  ) {}

  run(projections: readonly Projection[], onProgress: OnProgress): Promise<Comparison> {
    return this.lock.run(async (lease, isOurs) => {
      const live = await liveCollectionsOf(this.store, this.all);
      const targets = this.all.map((projection) => ({ projection, collection: collectionOf(projection, live) }));
      // An event that cannot be folded was set aside for the live collection too.
      const onFailure = () => undefined;
      const shadows = await RebuildTargets.create(projections, this.log, this.store, lease, onProgress, onFailure);
      try {
        return await this.compare(targets, shadows, isOurs);
      } finally {
        await shadows.drop();
      }
    });
  }

  private async compare(live: readonly Target[], shadows: RebuildTargets, signal: AbortSignal): Promise<Comparison> {
    const collections = new Map(live.map(({ projection, collection }) => [projection.name, collection]));
    const pairs = shadows.targets.map(({ projection, collection }): Pair => {
      return { projection, live: collections.get(projection.name) ?? '', shadow: collection, candidates: [] };
    });
    await shadows.fill(signal);
    for (const pair of pairs) pair.candidates = await this.findCandidates(pair, signal);
    // Once more, so that the runner is paused for few events and documents.
    await shadows.fill(signal);
    for (const pair of pairs) pair.candidates = (await this.differences(pair, signal)).map(idOf);
    const readModels = [];
    for (const { projection, live: collection, shadow } of pairs) {
      readModels.push({ name: projection.name, collection, documents: await this.store.count(shadow) });
    }
    if (pairs.every(({ candidates }) => candidates.length === 0)) return { readModels, differences: [] };
    for (let tries = 1; ; tries++) {
      try {
        return { readModels, differences: await this.comparePaused(live, shadows, pairs, signal) };
      } catch (error) {
        if (signal.aborted || !isLostLease(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Throws if another process has continued the runner in the meantime: then the collections are at different events. */
  private comparePaused(
    live: readonly Target[],
    shadows: RebuildTargets,
    pairs: readonly Pair[],
    signal: AbortSignal,
  ): Promise<DocumentDifference[]> {
    return this.lock.withRunnerPaused(async (paused, lost) => {
      const isOurs = AbortSignal.any([signal, lost]);
      const reached = await this.catchUpLive(live, paused, isOurs);
      await shadows.fill(isOurs, reached.position);
      const found = [];
      for (const pair of pairs) found.push(...(await this.differences(pair, isOurs)));
      // The lease may have ended, for example while this process was stopped. Only the store knows for certain.
      await this.store.write([], reached);
      return found;
    });
  }

  /** Does the paused runner's work up to the present head, because it may lag behind the shadows. Returns that head. */
  private async catchUpLive(live: readonly Target[], paused: Checkpoint, signal: AbortSignal): Promise<Checkpoint> {
    const engine = new ProjectionEngine(live);
    const types = typesOf(this.all);
    const head = await this.log.head();
    const events = new CheckpointEvents(paused.event, paused.event?.readModels);
    let reached = paused;
    for (let atEnd = false; !atEnd && reached.position < head; ) {
      signal.throwIfAborted();
      const page = await this.log.readLog({ after: reached.position, types, limit: EVENTS_PER_PAGE });
      events.next(page);
      reached = { ...paused, position: page.reached, event: events.upTo(page.reached) };
      await this.store.write(await engine.project(this.store, page.events), reached);
      atEnd = page.atEnd;
    }
    return reached;
  }

  private async findCandidates({ projection, live, shadow }: Pair, signal: AbortSignal): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of documentPages<Stored>(this.store, live, signal)) {
      const rebuilt = byId(await this.store.getMany<Stored>(shadow, page.map(idOf)));
      ids.push(...page.filter((document) => !isSame(projection, document, rebuilt.get(document.id))).map(idOf));
    }
    // The loop above has compared the documents that are in both.
    for await (const page of documentPages<Stored>(this.store, shadow, signal)) {
      const known = byId(await this.store.getMany<Stored>(live, page.map(idOf)));
      ids.push(...page.map(idOf).filter((id) => !known.has(id)));
    }
    return ids;
  }

  private async differences({ projection, live, shadow, candidates }: Pair, signal: AbortSignal) {
    const found: DocumentDifference[] = [];
    for (let from = 0; from < candidates.length; from += DOCUMENTS_PER_READ) {
      signal.throwIfAborted();
      const ids = candidates.slice(from, from + DOCUMENTS_PER_READ);
      const [lives, rebuilt] = await Promise.all(
        [live, shadow].map(async (collection) => byId(await this.store.getMany<Stored>(collection, ids))),
      );
      for (const id of ids) {
        const difference = { projection, id, live: lives?.get(id), rebuilt: rebuilt?.get(id) };
        if (!isSame(projection, difference.live, difference.rebuilt)) found.push(difference);
      }
    }
    return found;
  }
}

const collectionOf = ({ name, version }: Projection, live: ReadonlyMap<string, LiveCollection>): string => {
  const current = live.get(name);
  if (current?.version !== version) throw new VersionMismatch(name, current?.version, version);
  return current.collection;
};

/** The lease was taken by another process: the work here is aborted, or its last write fails. */
const isLostLease = (error: unknown): boolean =>
  error instanceof Fenced || (error instanceof DOMException && error.name === 'AbortError');

const idOf = ({ id }: { readonly id: string }): string => id;

const byId = (documents: readonly Stored[]): ReadonlyMap<string, Stored> =>
  new Map(documents.map((document) => [document.id, document]));

const isSame = (
  { operationalFields = [] }: Projection,
  live: Stored | undefined,
  rebuilt: Stored | undefined,
): boolean => {
  const ofTheLog = (document: Stored | undefined) =>
    document && Object.fromEntries(Object.entries(document).filter(([name]) => !operationalFields.includes(name)));
  return isDeepStrictEqual(ofTheLog(live), ofTheLog(rebuilt));
};
