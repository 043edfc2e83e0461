import { eventUpTo, isKept } from '#jobs';
import type { Clock, DocumentStore, EventLog, Lease, Projection } from '#kernel';
import { byRunner, laneOfReadModels } from '../engine/read-models-runner.js';
import { LIVE_COLLECTIONS, type LiveCollection, liveCollectionsOf } from '../stored-live-collections.js';
import { copyOperationalFields } from './copy-operational-fields.js';
import { dropAllButLive, withKeptCollection } from './drop-all-but-live.js';
import type { RebuildAsides } from './rebuild-asides.js';
import { RebuildLock } from './rebuild-lock.js';
import { type OnProgress, RebuildTargets } from './rebuild-targets.js';
import type { FoldFailure } from './write-buffer.js';

/**
 * Rebuilds read models: fills shadow collections from the start of the log while the live ones serve, and then switches
 * to them. It reads the log and writes collections, and causes no other effect. The replaced collections are dropped when
 * the runner may write the new ones.
 *
 * Two processes never write one collection, and no answer becomes older by the switch: the rebuild takes the runner's
 * lease, whichever process holds it, catches the shadows up with the head of the log, and returns the lease when every
 * reader has read again which collections are live. The next runner writes those.
 */
export class Rebuild {
  constructor(
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    /** Without it, an event that cannot be folded ends the rebuild. */
    private readonly asides?: RebuildAsides,
  ) {}

  /** Rebuilds the read models when no other rebuild is under way. */
  async run(projections: readonly Projection[], onProgress: OnProgress = () => {}): Promise<void> {
    const groups = this.groups(projections);
    let ended = { events: 0, share: 0 };
    for (const { lock, own } of groups) {
      const before = ended;
      await lock.run((lease, isOurs) =>
        this.replace(own, lock, lease, isOurs, ({ events, share }) => {
          ended = { events: before.events + events, share: before.share + share / groups.length };
          onProgress(ended);
        }),
      );
    }
  }

  /** `fence`: of the leader that calls it, before its lane runs. */
  async runOutdated(projections: readonly Projection[], signal: AbortSignal, fence?: number): Promise<void> {
    if ((await this.outdated(projections)).length === 0) return;
    // Another process may have rebuilt them while this one waited for the lock.
    for (const { lock, own } of this.groups(projections, fence)) {
      await lock.run(
        async (lease, isOurs) => this.replace(await this.outdated(own), lock, lease, isOurs, () => {}),
        signal,
      );
    }
  }

  /** Drops what earlier builds have kept of the read models after a rebuild. */
  async dropKept(projections: readonly Projection[], signal: AbortSignal): Promise<void> {
    if ((await withKeptCollection(this.store, projections)).length === 0) return;
    for (const { lock, own } of this.groups(projections)) {
      await lock.run(async ({ name, fence }) => {
        await dropAllButLive(this.store, own);
        // Last, so that the next start continues after a crash.
        const put = await withKeptCollection(this.store, own);
        await this.store.write([{ collection: LIVE_COLLECTIONS.name, put }], { name, position: 0, fence });
      }, signal);
    }
  }

  /** Those that are live in another version, or were not kept up to date by the runner's last build (D112). */
  async outdated(projections: readonly Projection[]): Promise<Projection[]> {
    const live = await liveCollectionsOf(this.store, projections);
    const ofRunners = [...byRunner(projections)].map(async ([runner, own]) => {
      const checkpoint = await this.store.checkpoint(laneOfReadModels(runner));
      return own.filter((each) => live.get(each.name)?.version !== each.version || !isKept(checkpoint, each));
    });
    return (await Promise.all(ofRunners)).flat();
  }

  private groups(projections: readonly Projection[], fence?: number) {
    const { store, clock } = this;
    return [...byRunner(projections)].map(([runner, own]) => ({
      lock: new RebuildLock(runner, store, clock, fence),
      own,
    }));
  }

  private async replace(
    projections: readonly Projection[],
    lock: RebuildLock,
    lease: Lease,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<void> {
    if (projections.length === 0) return;
    await dropAllButLive(this.store, projections);
    const { asides, log, store } = this;
    const failures: FoldFailure[] = [];
    const onFailure = asides && ((failure: FoldFailure) => void failures.push(failure));
    const shadows = await RebuildTargets.create(projections, log, store, lease, onProgress, onFailure);
    await shadows.fill(signal);
    // These events come before the head that the shadows reach below, so the shadows have folded them.
    const earlier = (await asides?.ofReadModels(projections)) ?? [];
    await asides?.setAside(failures);
    await shadows.index(signal);
    for (const { projection, collection, live } of shadows.targets) {
      if (live !== undefined) await copyOperationalFields(store, projection, live.collection, collection, signal);
    }
    await lock.switchCollections(async (checkpoint, lost) => {
      await shadows.fill(AbortSignal.any([signal, lost]));
      const put = shadows.targets.map(
        ({ projection: { name, version }, collection }): LiveCollection => ({ id: name, collection, version }),
      );
      const at = checkpoint.event ?? (await eventUpTo(log, checkpoint.position));
      const readModels = { ...checkpoint.event?.readModels, ...versionsOf(projections) };
      const event = at && { ...at, readModels };
      await store.write([{ collection: LIVE_COLLECTIONS.name, put }], { ...checkpoint, event });
    });
    await dropAllButLive(store, projections);
    const failed = await asides?.setAside(failures);
    await asides?.retried(earlier.filter(({ id }) => failed?.has(id) !== true));
  }
}

export const versionsOf = (projections: readonly Projection[]): Readonly<Record<string, number>> =>
  Object.fromEntries(projections.map(({ name, version }) => [name, version]));
