import { isDeepStrictEqual } from 'node:util';
import { documentPages } from './document-pages.js';
import type { Document, DocumentStore } from './document-store.js';
import type { Position } from './event.js';
import type { EventLog } from './event-log.js';
import type { Clock } from './instant.js';
import { type LiveCollection, liveOnes } from './live-collections.js';
import { type Projected, type Projection, typesOf } from './projection.js';
import { ProjectionEngine, type Target } from './projection-engine.js';
import type { RebuildOptions } from './rebuild.js';
import { RebuildTurns, type Standstill } from './rebuild-turns.js';
import { Shadows } from './shadows.js';

type Stored = Projected<Document>;

/** A document that is not what the log makes of it; undefined where there is none. */
export interface DocumentDifference {
  readonly projection: Projection;
  readonly id: string;
  readonly live: Stored | undefined;
  readonly rebuilt: Stored | undefined;
}

export interface ComparedReadModel {
  readonly name: string;
  readonly collection: string;
  /** How many documents the log makes. */
  readonly documents: number;
}

export interface Comparison {
  readonly readModels: readonly ComparedReadModel[];
  readonly differences: readonly DocumentDifference[];
}

/** A read model that folds of another version have made can not be held against what these make. */
export class OtherVersion extends Error {
  constructor(
    readonly readModel: string,
    readonly live: number | undefined,
    readonly version: number,
  ) {
    super(`${readModel} is kept by version ${live ?? 'none'} of its folds, this is ${version}`);
    this.name = 'OtherVersion';
  }
}

interface Pair {
  readonly projection: Projection;
  readonly live: string;
  readonly shadow: string;
  /** Documents that differed when they were last looked at. */
  suspects: readonly string[];
}

const PAGE = 1_000;
/** With so few left to look at, the runner need not stand still for long. */
const FEW_SUSPECTS = 1_000;
const LOOKS = 3;
const NEVER = new AbortController().signal;

/**
 * Makes read models anew beside the live ones, never switches to them, and tells which documents differ.
 *
 * A live system goes on meanwhile: what differs at a first look may be a document that only one of the two had brought
 * up to the log. What still differs is looked at once more with the runner at a standstill and both at the same event.
 */
export class ReadModelComparison {
  private readonly turns: RebuildTurns;

  constructor(
    private readonly runner: string,
    /** All that the runner keeps. */
    private readonly all: readonly Projection[],
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    clock: Clock,
  ) {
    this.turns = new RebuildTurns(runner, store, clock);
  }

  /** Compares some of them. Rejects with `OtherVersion`. */
  run(
    projections: readonly Projection[],
    { signal = NEVER, onProgress = () => {} }: RebuildOptions = {},
  ): Promise<Comparison> {
    return this.turns.alone(signal, async (turn, isOurs) => {
      const live = await liveOnes(this.store, this.all);
      const targets = this.all.map((projection) => ({ projection, collection: collectionOf(projection, live) }));
      const shadows = await Shadows.make(projections, live, this.log, this.store, turn, onProgress);
      try {
        return await this.compare(targets, shadows, isOurs);
      } finally {
        await shadows.drop();
      }
    });
  }

  private async compare(live: readonly Target[], shadows: Shadows, signal: AbortSignal): Promise<Comparison> {
    const collections = new Map(live.map(({ projection, collection }) => [projection.name, collection]));
    const pairs = shadows.targets.map(({ projection, collection }): Pair => {
      return { projection, live: collections.get(projection.name) ?? '', shadow: collection, suspects: [] };
    });
    await shadows.fill(signal);
    for (const pair of pairs) pair.suspects = await this.differing(pair, signal);
    for (let look = 1; look < LOOKS && countOf(pairs) > FEW_SUSPECTS; look++) {
      await shadows.fill(signal);
      for (const pair of pairs) pair.suspects = (await this.differences(pair, signal)).map(({ id }) => id);
    }
    const readModels = [];
    for (const { projection, live: collection, shadow } of pairs) {
      readModels.push({ name: projection.name, collection, documents: await this.store.count(shadow) });
    }
    if (countOf(pairs) === 0) return { readModels, differences: [] };
    const differences = await this.turns.atStandstill(async (still, lost) => {
      const isOurs = AbortSignal.any([signal, lost]);
      await shadows.fill(isOurs, await this.runOn(live, still, isOurs));
      const found = [];
      for (const pair of pairs) found.push(...(await this.differences(pair, isOurs)));
      return found;
    });
    return { readModels, differences };
  }

  /** What the runner would do next, up to the head as it is now, which it returns: it may lag behind the shadows. */
  private async runOn(
    live: readonly Target[],
    { position, fence }: Standstill,
    signal: AbortSignal,
  ): Promise<Position> {
    const engine = new ProjectionEngine(live);
    const types = typesOf(this.all);
    const head = await this.log.head();
    let after = position;
    for (let atEnd = false; !atEnd && after < head; ) {
      signal.throwIfAborted();
      const page = await this.log.readLog({ after, types, limit: PAGE });
      const writes = await engine.project(this.store, page.events);
      await this.store.write(writes, { name: this.runner, position: page.reached, fence });
      after = page.reached;
      atEnd = page.atEnd;
    }
    return after;
  }

  /** The ids of all documents that are not the same in both. */
  private async differing({ projection, live, shadow }: Pair, signal: AbortSignal): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of documentPages<Stored>(this.store, live, signal)) {
      const rebuilt = byId(await this.store.getMany<Stored>(shadow, page.map(idOf)));
      ids.push(...page.filter((document) => !isSame(projection, document, rebuilt.get(document.id))).map(idOf));
    }
    // What both have has been looked at on the way through the live one.
    for await (const page of documentPages<Stored>(this.store, shadow, signal)) {
      const there = byId(await this.store.getMany<Stored>(live, page.map(idOf)));
      ids.push(...page.map(idOf).filter((id) => !there.has(id)));
    }
    return ids;
  }

  /** What of the suspects differs as they are now. */
  private async differences({ projection, live, shadow, suspects }: Pair, signal: AbortSignal) {
    const found: DocumentDifference[] = [];
    for (let from = 0; from < suspects.length; from += PAGE) {
      signal.throwIfAborted();
      const ids = suspects.slice(from, from + PAGE);
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
  if (current?.version !== version) throw new OtherVersion(name, current?.version, version);
  return current.collection;
};

const countOf = (pairs: readonly Pair[]): number => pairs.reduce((sum, { suspects }) => sum + suspects.length, 0);

const idOf = ({ id }: Document): string => id;

const byId = (documents: readonly Stored[]): ReadonlyMap<string, Stored> =>
  new Map(documents.map((document) => [document.id, document]));

const isSame = ({ notFromTheLog = [] }: Projection, live: Stored | undefined, rebuilt: Stored | undefined): boolean => {
  const ofTheLog = (document: Stored | undefined) =>
    document && Object.fromEntries(Object.entries(document).filter(([name]) => !notFromTheLog.includes(name)));
  return isDeepStrictEqual(ofTheLog(live), ofTheLog(rebuilt));
};
