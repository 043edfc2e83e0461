import { type Clock, type DocumentStore, type EventLog, type Lease, notFound, type Projection, typesOf } from '#kernel';
import { ProjectionEngine } from '../engine/projection-engine.js';
import {
  LIVE_COLLECTIONS,
  type LiveCollection,
  liveCollectionsOf,
  type ReplacedCollection,
} from '../stored-live-collections.js';
import { copyOperationalFields } from './copy-operational-fields.js';
import { dropOrphans } from './orphaned-collections.js';
import { RebuildLock } from './rebuild-lock.js';

const EVENTS_PER_PAGE = 1_000;
const NEVER_ABORTED = new AbortController().signal;

/** A read model with a collection that was replaced and is kept. */
interface Kept {
  readonly projection: Projection;
  readonly live: LiveCollection;
  readonly replaced: ReplacedCollection;
}

/**
 * Switches back to the collections that a rebuild replaced. They got no events since then: they catch up with the log
 * while the live ones serve, and, as in a rebuild, the runner is paused for the rest. The collections that were live are
 * kept, so a rollback can be undone by another one.
 */
export class Rollback {
  private readonly lock: RebuildLock;

  constructor(
    runner: string,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    clock: Clock,
  ) {
    this.lock = new RebuildLock(runner, store, clock);
  }

  /** The read models with a kept collection of this version. */
  async possible(projections: readonly Projection[]): Promise<Projection[]> {
    return (await this.kept(projections)).map(({ projection }) => projection);
  }

  /** Rolls back all of the read models. Rejects with `not_found`, and does nothing, if one has no kept collection. */
  run(projections: readonly Projection[], signal = NEVER_ABORTED): Promise<void> {
    return this.lock.run(signal, async (lease, isOurs) => {
      const before = await this.kept(projections);
      if (before.length < projections.length)
        throw notFound('names', 'include a read model without a collection that is kept for a rollback');
      const caughtUp: Kept[] = [];
      for (const kept of before) caughtUp.push(await this.catchUp(kept, lease, isOurs));
      for (const { projection, live, replaced } of caughtUp) {
        await copyOperationalFields(this.store, projection, live.collection, replaced.collection, isOurs);
      }
      await this.lock.switchCollections(async (checkpoint, lost) => {
        const put: LiveCollection[] = [];
        for (const kept of caughtUp) {
          const { live, replaced } = await this.catchUp(kept, lease, AbortSignal.any([isOurs, lost]));
          const { id, collection, version } = live;
          put.push({
            id,
            collection: replaced.collection,
            version: replaced.version,
            replaced: { collection, version, position: checkpoint.position },
          });
        }
        await this.store.write([{ collection: LIVE_COLLECTIONS.name, put }], checkpoint);
      });
    });
  }

  /** Drops the kept collections of the read models. */
  discard(projections: readonly Projection[], signal = NEVER_ABORTED): Promise<void> {
    return this.lock.run(signal, async ({ name, fence }) => {
      for (const live of (await liveCollectionsOf(this.store, projections)).values()) {
        const { replaced, ...rest } = live;
        if (replaced === undefined) continue;
        const put = [{ collection: LIVE_COLLECTIONS.name, put: [rest] }];
        await this.store.write(put, { name, position: 0, fence });
        await this.store.drop(replaced.collection);
      }
      await dropOrphans(this.store, projections);
    });
  }

  private async kept(projections: readonly Projection[]): Promise<Kept[]> {
    const lives = await liveCollectionsOf(this.store, projections);
    return projections.flatMap((projection) => {
      const live = lives.get(projection.name);
      const replaced = live?.replaced;
      return live && replaced?.version === projection.version ? [{ projection, live, replaced }] : [];
    });
  }

  /** Folds the events since the switch into the kept collection, and stores its position with each write. */
  private async catchUp(kept: Kept, { name, fence }: Lease, signal: AbortSignal): Promise<Kept> {
    const { projection, live } = kept;
    const { collection, version } = kept.replaced;
    await this.store.ensure([{ name: collection, indexes: projection.indexes }]);
    const engine = new ProjectionEngine([{ projection, collection }]);
    const types = typesOf([projection]);
    for (let { position } = kept.replaced; ; ) {
      signal.throwIfAborted();
      const { events, reached, atEnd } = await this.log.readLog({ after: position, types, limit: EVENTS_PER_PAGE });
      position = reached;
      const replaced = { collection, version, position };
      const progress = { collection: LIVE_COLLECTIONS.name, put: [{ ...live, replaced }] };
      const writes = await engine.project(this.store, events);
      await this.store.write([...writes, progress], { name, position, fence });
      if (atEnd) return { projection, live, replaced };
    }
  }
}
