import { carryOver } from './carry-over.js';
import type { DocumentStore, Lease } from './document-store.js';
import { DomainError } from './errors.js';
import type { EventLog } from './event-log.js';
import type { Clock } from './instant.js';
import { LIVE_COLLECTIONS, type LiveCollection, liveOnes, type ReplacedCollection } from './live-collections.js';
import { type Projection, typesOf } from './projection.js';
import { ProjectionEngine } from './projection-engine.js';
import { RebuildTurns } from './rebuild-turns.js';

const PAGE = 1_000;
const NEVER = new AbortController().signal;

/** A read model that serves, and what it replaced. */
interface Kept {
  readonly projection: Projection;
  readonly live: LiveCollection;
  readonly replaced: ReplacedCollection;
}

/**
 * Switches back to the collections that a rebuild replaced. Nothing was fed to those since: they are brought up to the
 * log while the others serve, and, as in a rebuild, for the last stretch the runner stands still. What is switched away
 * from is kept in its turn, so that a rollback can be taken back.
 */
export class Rollback {
  private readonly turns: RebuildTurns;

  constructor(
    private readonly runner: string,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    clock: Clock,
  ) {
    this.turns = new RebuildTurns(runner, store, clock);
  }

  /** Those of the read models for which something is kept that folds of this version have made. */
  async possible(projections: readonly Projection[]): Promise<Projection[]> {
    return (await this.kept(projections)).map(({ projection }) => projection);
  }

  /** All of them, or, where one has nothing to go back to, none: rejects with `not_found`. */
  run(projections: readonly Projection[], signal = NEVER): Promise<void> {
    return this.turns.alone(signal, async (turn, isOurs) => {
      const before = await this.kept(projections);
      if (before.length < projections.length) throw new DomainError('not_found');
      const caughtUp: Kept[] = [];
      for (const kept of before) caughtUp.push(await this.catchUp(kept, turn, isOurs));
      for (const { projection, live, replaced } of caughtUp) {
        await carryOver(this.store, projection, live.collection, replaced.collection, isOurs);
      }
      await this.turns.switching(async ({ position, fence }, lost) => {
        const put: LiveCollection[] = [];
        for (const kept of caughtUp) {
          const { live, replaced } = await this.catchUp(kept, turn, AbortSignal.any([isOurs, lost]));
          const { id, collection, version } = live;
          put.push({
            id,
            collection: replaced.collection,
            version: replaced.version,
            replaced: { collection, version, position },
          });
        }
        await this.store.write([{ collection: LIVE_COLLECTIONS.name, put }], { name: this.runner, position, fence });
      });
    });
  }

  /** Drops what is kept of the read models. */
  discard(projections: readonly Projection[], signal = NEVER): Promise<void> {
    return this.turns.alone(signal, async ({ name, fence }) => {
      for (const live of (await liveOnes(this.store, projections)).values()) {
        const { replaced, ...rest } = live;
        if (replaced === undefined) continue;
        const put = [{ collection: LIVE_COLLECTIONS.name, put: [rest] }];
        await this.store.write(put, { name, position: 0, fence });
        await this.store.drop(replaced.collection);
      }
    });
  }

  private async kept(projections: readonly Projection[]): Promise<Kept[]> {
    const lives = await liveOnes(this.store, projections);
    return projections.flatMap((projection) => {
      const live = lives.get(projection.name);
      const replaced = live?.replaced;
      return live && replaced?.version === projection.version ? [{ projection, live, replaced }] : [];
    });
  }

  /** Tells the kept collection what it missed; how far it has come is noted with what was written. */
  private async catchUp(kept: Kept, { name, fence }: Lease, signal: AbortSignal): Promise<Kept> {
    const { projection, live } = kept;
    const { collection, version } = kept.replaced;
    await this.store.ensure([{ name: collection, indexes: projection.indexes }]);
    const engine = new ProjectionEngine([{ projection, collection }]);
    const types = typesOf([projection]);
    for (let { position } = kept.replaced; ; ) {
      signal.throwIfAborted();
      const { events, reached, atEnd } = await this.log.readLog({ after: position, types, limit: PAGE });
      position = reached;
      const replaced = { collection, version, position };
      const note = { collection: LIVE_COLLECTIONS.name, put: [{ ...live, replaced }] };
      const writes = await engine.project(this.store, events);
      await this.store.write([...writes, note], { name, position, fence });
      if (atEnd) return { projection, live, replaced };
    }
  }
}
