import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  type DocumentStore,
  type Duration,
  type EventLog,
  type IndexDefinition,
  type Projected,
  type Projection,
  UnknownCollection,
} from '#kernel';
import { byRunner, laneOfReadModels } from './engine/read-models-runner.js';
import { dropStrays, Shadows } from './rebuild/shadows.js';
import { Filling, type OnProgress } from './rebuild/write-buffer.js';
import { entriesOf, liveCollectionsOf } from './stored-live-collections.js';

type Stored = Projected<Document>;

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
  /** The documents that may differ only because one side is older. */
  candidates: readonly string[];
}

const DOCUMENTS_PER_READ = 1_000;
const LOOK_INTERVAL: Duration = 50;
const MAX_TRIES = 3;
const BY_ID: IndexDefinition = { name: 'ids', fields: [] };

/** The lane goes on, so a differing document is compared again, until both sides have passed the same position. */
export class ReadModelComparison {
  constructor(
    private readonly log: EventLog,
    private readonly store: DocumentStore,
  ) {}

  /** Rejects with `VersionMismatch`. */
  async run(projections: readonly Projection[], onProgress: OnProgress = () => undefined): Promise<Comparison> {
    const compared: Comparison[] = [];
    for (const [runner, own] of byRunner(projections)) compared.push(await this.ofLane(runner, own, onProgress));
    const order = projections.map(({ name }) => name);
    const readModels = compared.flatMap((ofLane) => ofLane.readModels);
    return {
      readModels: readModels.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name)),
      differences: compared.flatMap(({ differences }) => differences),
    };
  }

  /** Again if a rebuild has replaced what was compared, or another comparison this one. */
  private async ofLane(runner: string, projections: readonly Projection[], onProgress: OnProgress) {
    const { store } = this;
    for (let tries = 1; ; tries++) {
      const live = await liveCollectionsOf(store, projections);
      for (const { name, version } of projections) {
        const current = live.get(name)?.version;
        if (current !== version) throw new VersionMismatch(name, current, version);
      }
      const shadows = await Shadows.create('comparison', projections, store);
      try {
        const pairs = shadows.targets.map(({ projection, collection, before }): Pair => {
          return { projection, live: before, shadow: collection, candidates: [] };
        });
        // An event that cannot be folded was set aside for the live collection too.
        const filling = new Filling(shadows.targets, this.log, store, onProgress);
        const compared = await this.compare(pairs, filling, laneOfReadModels(runner));
        if (await shadows.areNamed()) return compared;
      } catch (error) {
        if (!(error instanceof UnknownCollection) || tries === MAX_TRIES) throw error;
      } finally {
        await shadows.end();
        await dropStrays(store, projections);
      }
      await this.noneIsUnderWay(projections);
    }
  }

  private async noneIsUnderWay(projections: readonly Projection[]): Promise<void> {
    const isUnderWay = async () =>
      [...(await entriesOf(this.store, projections)).values()].some(({ comparison }) => comparison !== undefined);
    while (await isUnderWay()) await delay(LOOK_INTERVAL);
  }

  private async compare(pairs: readonly Pair[], filling: Filling, lane: string): Promise<Comparison> {
    const { store } = this;
    const reached = async () => (await store.checkpoint(lane))?.position ?? 0;
    // Twice, so that few documents have changed since.
    for (const _ of ['all', 'what came since']) await filling.through(await reached());
    for (const pair of pairs) pair.candidates = await this.mayDiffer(pair);
    const readModels = [];
    for (const { projection, live: collection, shadow } of pairs) {
      readModels.push({ name: projection.name, collection, documents: await store.count(shadow) });
    }
    const differences: DocumentDifference[] = [];
    while (pairs.some(({ candidates }) => candidates.length > 0)) {
      let through = await reached();
      for (; through < filling.reached; through = await reached()) await delay(LOOK_INTERVAL);
      const lives = await this.candidates(pairs, ({ live }) => live);
      const head = await this.log.head();
      await filling.through(through);
      const before = await this.candidates(pairs, ({ shadow }) => shadow);
      await filling.through(head);
      const after = await this.candidates(pairs, ({ shadow }) => shadow);
      for (const [n, pair] of pairs.entries()) {
        const { projection } = pair;
        pair.candidates = pair.candidates.filter((id) => {
          // The live one was read when the lane stood somewhere between `through` and `head`.
          const [live, earlier, rebuilt] = [lives, before, after].map((side) => side[n]?.get(id));
          if (isSame(projection, live, earlier) || isSame(projection, live, rebuilt)) return false;
          const wasAbsent = earlier === undefined && (live?.position ?? 0) > through;
          const isCertain = earlier?.position === rebuilt?.position && !wasAbsent && filling.reached >= head;
          if (isCertain) differences.push({ projection, id, live, rebuilt });
          return !isCertain;
        });
      }
    }
    return { readModels, differences };
  }

  private async mayDiffer({ projection, live, shadow }: Pair): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of documentPages(this.store, live)) {
      const rebuilt = byId(await this.store.getMany<Stored>(shadow, page.map(idOf)));
      ids.push(...page.filter((document) => !isSame(projection, document, rebuilt.get(document.id))).map(idOf));
    }
    // The loop above has compared the documents that are in both.
    for await (const page of documentPages(this.store, shadow)) {
      const known = byId(await this.store.getMany<Stored>(live, page.map(idOf)));
      ids.push(...page.map(idOf).filter((id) => !known.has(id)));
    }
    return ids;
  }

  private candidates(pairs: readonly Pair[], side: (pair: Pair) => string) {
    return Promise.all(
      pairs.map(async (pair) => {
        const found: Stored[] = [];
        for (let from = 0; from < pair.candidates.length; from += DOCUMENTS_PER_READ) {
          const ids = pair.candidates.slice(from, from + DOCUMENTS_PER_READ);
          found.push(...(await this.store.getMany<Stored>(side(pair), ids)));
        }
        return byId(found);
      }),
    );
  }
}

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

/** All documents of a collection, page by page by id. An insertion before the current page is missed. */
async function* documentPages(store: DocumentStore, collection: string): AsyncGenerator<readonly Stored[]> {
  await store.ensure([{ name: collection, indexes: [BY_ID] }]);
  for (let gt = ''; ; ) {
    const page = await store.find<Stored>(collection, { index: BY_ID.name, gt, limit: DOCUMENTS_PER_READ });
    if (page.length > 0) yield page;
    if (page.length < DOCUMENTS_PER_READ) return;
    gt = page.at(-1)?.id ?? gt;
  }
}
