import { carryOver } from './carry-over.js';
import type { DocumentStore, Lease } from './document-store.js';
import type { EventLog } from './event-log.js';
import type { Clock } from './instant.js';
import { LIVE_COLLECTIONS, type LiveCollection, liveOnes } from './live-collections.js';
import type { Projection } from './projection.js';
import { RebuildTurns } from './rebuild-turns.js';
import { type OnProgress, Shadows } from './shadows.js';

export interface RebuildOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

const NEVER = new AbortController().signal;

/**
 * Makes read models anew: fills shadow collections from the beginning of the log while the live ones serve, and then
 * switches to them. It reads the log and writes collections, and does nothing else. What was live is kept for a
 * rollback, until the next rebuild.
 *
 * No two ever feed one collection, and none is live that lacks what a reader may have been told it has: for the switch
 * the rebuild takes the runner's lease away, whichever process has it, catches the shadows up to the head, and gives
 * the lease back once every reader has looked again which collections are live. The next runner feeds those.
 */
export class Rebuild {
  private readonly turns: RebuildTurns;

  constructor(
    private readonly runner: string,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    clock: Clock,
  ) {
    this.turns = new RebuildTurns(runner, store, clock);
  }

  /** Makes them anew, once no other rebuild is under way. */
  run(
    projections: readonly Projection[],
    { signal = NEVER, onProgress = () => {} }: RebuildOptions = {},
  ): Promise<void> {
    return this.turns.alone(signal, (turn, isOurs) => this.replace(projections, turn, isOurs, onProgress));
  }

  /** Makes anew those that have never been made by the folds of this version. */
  async runOutdated(projections: readonly Projection[], signal = NEVER): Promise<void> {
    if ((await this.outdated(projections)).length === 0) return;
    // Another process may have been faster.
    await this.turns.alone(signal, async (turn, isOurs) =>
      this.replace(await this.outdated(projections), turn, isOurs, () => {}),
    );
  }

  /** Those of them that have never been made by the folds of this version. */
  async outdated(projections: readonly Projection[]): Promise<Projection[]> {
    const live = await liveOnes(this.store, projections);
    return projections.filter(({ name, version }) => live.get(name)?.version !== version);
  }

  private async replace(
    projections: readonly Projection[],
    turn: Lease,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<void> {
    if (projections.length === 0) return;
    const live = await liveOnes(this.store, projections);
    const shadows = await Shadows.make(projections, live, this.log, this.store, turn, onProgress);
    await shadows.fill(signal);
    await shadows.index(signal);
    for (const { projection, collection } of shadows.targets) {
      const old = live.get(projection.name);
      if (old !== undefined) await carryOver(this.store, projection, old.collection, collection, signal);
    }
    await this.turns.switching(async ({ position, fence }, lost) => {
      await shadows.fill(AbortSignal.any([signal, lost]));
      const put = shadows.targets.map(({ projection: { name, version }, collection }): LiveCollection => {
        const old = live.get(name);
        const replaced = old && { collection: old.collection, version: old.version, position };
        return { id: name, collection, version, ...(replaced && { replaced }) };
      });
      const checkpoint = { name: this.runner, position, fence };
      await this.store.write([{ collection: LIVE_COLLECTIONS.name, put }], checkpoint);
    });
    for (const { replaced } of live.values()) if (replaced !== undefined) await this.store.drop(replaced.collection);
  }
}
