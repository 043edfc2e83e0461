import {
  type Clock,
  type DocumentStore,
  type EventLog,
  type Lease,
  type Projection,
  type RecordedEvent,
  type StreamName,
  streamId,
} from '#kernel';
import { byRunner } from '../engine/read-models-runner.js';
import { LIVE_COLLECTIONS, type LiveCollection, liveCollectionsOf } from '../stored-live-collections.js';
import { copyOperationalFields } from './copy-operational-fields.js';
import { dropAllButLive, withKeptCollection } from './drop-all-but-live.js';
import { RebuildLock } from './rebuild-lock.js';
import { type OnProgress, RebuildTargets } from './rebuild-targets.js';

export interface RebuildOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** The events that read models could not process, and their retries, as a rebuild needs them (D67). */
export interface RebuildAsides<Record extends { readonly id: string } = { readonly id: string }> {
  ofReadModels(names: ReadonlySet<string>): Promise<readonly Record[]>;
  /** Sets an event aside that the read model's folds cannot process. Returns the stream that records it. */
  setAside(readModel: Projection, event: RecordedEvent, error: unknown): Promise<StreamName>;
  /** Records that the read models have now processed the events. */
  retried(records: readonly Record[]): Promise<void>;
}

const NOTHING_ASIDE: RebuildAsides = {
  ofReadModels: async () => [],
  setAside: (_, __, error) => Promise.reject(error),
  retried: async () => undefined,
};

const NEVER_ABORTED = new AbortController().signal;

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
    private readonly setAsides: RebuildAsides = NOTHING_ASIDE,
  ) {}

  /** Rebuilds the read models when no other rebuild is under way. */
  async run(
    projections: readonly Projection[],
    { signal = NEVER_ABORTED, onProgress = () => {} }: RebuildOptions = {},
  ): Promise<void> {
    const groups = this.groups(projections);
    let ended = { events: 0, share: 0 };
    for (const { lock, own } of groups) {
      const before = ended;
      await lock.run(signal, (lease, isOurs) =>
        this.replace(own, lock, lease, isOurs, ({ events, share }) => {
          ended = { events: before.events + events, share: before.share + share / groups.length };
          onProgress(ended);
        }),
      );
    }
  }

  async runOutdated(projections: readonly Projection[], signal = NEVER_ABORTED): Promise<void> {
    if ((await this.outdated(projections)).length === 0) return;
    // Another process may have rebuilt them while this one waited for the lock.
    for (const { lock, own } of this.groups(projections)) {
      await lock.run(signal, async (lease, isOurs) =>
        this.replace(await this.outdated(own), lock, lease, isOurs, () => {}),
      );
    }
  }

  /** Drops what earlier builds have kept of the read models after a rebuild. */
  async dropKept(projections: readonly Projection[], signal = NEVER_ABORTED): Promise<void> {
    if ((await withKeptCollection(this.store, projections)).length === 0) return;
    for (const { lock, own } of this.groups(projections)) {
      await lock.run(signal, async ({ name, fence }) => {
        await dropAllButLive(this.store, own);
        // Last, so that the next start continues after a crash.
        const put = await withKeptCollection(this.store, own);
        await this.store.write([{ collection: LIVE_COLLECTIONS.name, put }], { name, position: 0, fence });
      });
    }
  }

  async outdated(projections: readonly Projection[]): Promise<Projection[]> {
    const live = await liveCollectionsOf(this.store, projections);
    return projections.filter(({ name, version }) => live.get(name)?.version !== version);
  }

  private groups(projections: readonly Projection[]) {
    const { store, clock } = this;
    return [...byRunner(projections)].map(([runner, own]) => ({
      lock: new RebuildLock(runner, store, clock),
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
    const live = await liveCollectionsOf(this.store, projections);
    const failures = new FoldFailures(this.setAsides);
    const shadows = await RebuildTargets.create(
      projections,
      live,
      this.log,
      this.store,
      lease,
      onProgress,
      failures.note,
    );
    await shadows.fill(signal);
    // These events come before the head that the shadows reach below, so the shadows have folded them.
    const names = new Set(projections.map(({ name }) => name));
    const aside = await this.setAsides.ofReadModels(names);
    await failures.setAside();
    await shadows.index(signal);
    for (const { projection, collection } of shadows.targets) {
      const old = live.get(projection.name);
      if (old !== undefined) await copyOperationalFields(this.store, projection, old.collection, collection, signal);
    }
    await lock.switchCollections(async (checkpoint, lost) => {
      await shadows.fill(AbortSignal.any([signal, lost]));
      const put = shadows.targets.map(
        ({ projection: { name, version }, collection }): LiveCollection => ({ id: name, collection, version }),
      );
      await this.store.write([{ collection: LIVE_COLLECTIONS.name, put }], checkpoint);
    });
    await dropAllButLive(this.store, projections);
    await failures.setAside();
    await this.setAsides.retried(aside.filter(({ id }) => !failures.has(id)));
  }
}

class FoldFailures {
  private noted: { readonly readModel: Projection; readonly event: RecordedEvent; readonly error: unknown }[] = [];
  private readonly ids = new Set<string>();

  constructor(private readonly setAsides: RebuildAsides) {}

  note = (readModel: Projection, event: RecordedEvent, error: unknown): void => {
    this.noted.push({ readModel, event, error });
  };

  has(id: string): boolean {
    return this.ids.has(id);
  }

  async setAside(): Promise<void> {
    const { noted } = this;
    this.noted = [];
    for (const { readModel, event, error } of noted) {
      this.ids.add(streamId(await this.setAsides.setAside(readModel, event, error)));
    }
  }
}
