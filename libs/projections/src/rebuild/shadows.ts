import { randomInt } from 'node:crypto';
import { holderName, isDeadLocalProcess } from '#jobs';
import { type DocumentStore, type Duration, type Position, type Projection, SECOND } from '#kernel';
import type { Target } from '../engine/projection-engine.js';
import {
  changeEntry,
  collectionName,
  entriesOf,
  LIVE_COLLECTION_TTL,
  noEntryOf,
  type ShadowCollection,
} from '../stored-live-collections.js';

const BEAT_INTERVAL: Duration = 10 * SECOND;
/** After this time, every reader has read again which collection is live. */
export const SWITCH_GRACE: Duration = 2 * LIVE_COLLECTION_TTL;

/** The leader does not switch to what a rebuild has filled. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** Only processes of the same host are known to be dead. */
export const isOfDeadProcess = ({ holder = '' }: ShadowCollection): boolean => isDeadLocalProcess(holder);

interface Shadow extends Target {
  /** The collection that was live when it was named. */
  readonly before: string;
}

/** The shadow collections of one rebuild or comparison, from their names on until they are live or dropped. */
export class Shadows {
  private readonly beating: NodeJS.Timeout;

  private constructor(
    private readonly kind: 'rebuild' | 'comparison',
    readonly targets: readonly Shadow[],
    private readonly store: DocumentStore,
  ) {
    this.beating = setInterval(() => void this.note({}).catch(() => undefined), BEAT_INTERVAL).unref();
  }

  /** Creates them empty, in place of those of an earlier process of this kind. */
  static async create(
    kind: 'rebuild' | 'comparison',
    projections: readonly Projection[],
    store: DocumentStore,
  ): Promise<Shadows> {
    const naming = projections.map(async (projection): Promise<Shadow> => {
      const { name, version } = projection;
      const collection = collectionName(projection, randomInt(1e9, 1e12));
      const unfilled = { position: 0, beat: 0, isFilled: false };
      const shadow: ShadowCollection = { collection, version, holder: holderName(), ...unfilled };
      let before = '';
      await changeEntry(store, name, (entry = noEntryOf(projection)) => {
        before = entry.collection;
        return { ...entry, [kind]: shadow };
      });
      return { projection, collection, before };
    });
    const shadows = new Shadows(kind, await Promise.all(naming), store);
    await store.ensure(
      shadows.targets.map(({ collection, projection: { indexes } }) => {
        return { name: collection, indexes: [], later: indexes };
      }),
    );
    return shadows;
  }

  /** Creates the indexes one at a time, because a store may refuse other writes while it creates one. */
  async index(signal?: AbortSignal): Promise<void> {
    const entries = await this.entries();
    for (const { collection, projection } of this.targets) {
      // A collection that was dropped would be created again.
      if (entries.get(projection.name)?.[this.kind]?.collection !== collection) continue;
      for (const index of projection.indexes) {
        signal?.throwIfAborted();
        await this.store.ensure([{ name: collection, indexes: [index] }]);
      }
    }
  }

  /** From here on the leader folds the rest, and switches to those that are still named. */
  filled(position: Position): Promise<void> {
    return this.note({ position, isFilled: true });
  }

  /** Whether all are live, or those of a later rebuild that has replaced them. */
  async areSwitched(): Promise<boolean> {
    const entries = await this.entries();
    return this.targets.every(({ projection: { name }, collection, before }) => {
      const entry = entries.get(name);
      if (entry?.collection === collection) return true;
      if (entry?.rebuild !== undefined) return false;
      if (entry?.collection !== before) return true;
      throw new GivenUp(`the rebuild of ${name} was abandoned, because its process made no progress; run it again`);
    });
  }

  async areNamed(): Promise<boolean> {
    const entries = await this.entries();
    return this.targets.every(
      ({ projection: { name }, collection }) => entries.get(name)?.[this.kind]?.collection === collection,
    );
  }

  async end(): Promise<void> {
    clearInterval(this.beating);
    await Promise.all(
      this.targets.map(async ({ projection: { name }, collection }) => {
        let isLive = false;
        await changeEntry(this.store, name, (entry) => {
          isLive = entry?.collection === collection;
          return entry?.[this.kind]?.collection === collection ? { ...entry, [this.kind]: undefined } : undefined;
        });
        if (!isLive) await this.store.drop(collection);
      }),
    );
  }

  private entries() {
    const projections = this.targets.map(({ projection }) => projection);
    return entriesOf(this.store, projections);
  }

  private async note(change: Partial<ShadowCollection>): Promise<void> {
    await Promise.all(
      this.targets.map(({ projection: { name }, collection }) =>
        changeEntry(this.store, name, (entry) => {
          const shadow = entry?.[this.kind];
          if (entry === undefined || shadow?.collection !== collection) return undefined;
          return { ...entry, [this.kind]: { ...shadow, ...change, beat: shadow.beat + 1 } };
        }),
      ),
    );
  }
}

/** Drops collections that are neither live nor named, which may hold personal data (D72). No name is used twice. */
export const dropStrays = async (
  store: DocumentStore,
  projections: readonly Pick<Projection, 'name' | 'version'>[],
): Promise<void> => {
  // The names first: a collection is named in its entry before it is made.
  const names = await store.collections();
  const entries = await entriesOf(store, projections);
  for (const projection of projections) {
    const { collection, rebuild, comparison } = entries.get(projection.name) ?? noEntryOf(projection);
    const kept = [collection, rebuild?.collection, comparison?.collection];
    for (const name of names) {
      if (belongsTo(projection.name, name) && !kept.includes(name)) await store.drop(name);
    }
  }
};

const belongsTo = (readModel: string, collection: string): boolean =>
  collection.startsWith(`${readModel}_v`) && /^\d+_\d+$/.test(collection.slice(readModel.length + 2));
