import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isKept } from '#jobs';
import {
  type Checkpoint,
  type DocumentStore,
  type Duration,
  type EventLog,
  eventsOf,
  MINUTE,
  type Projection,
} from '#kernel';
import { byRunner, laneOfReadModels, READ_MODELS } from '../engine/read-models-runner.js';
import {
  changeEntry,
  entriesOf,
  type LiveCollection,
  liveCollectionsOf,
  noCollectionOf,
  type ShadowCollection,
} from '../stored-live-collections.js';
import { Filling, type OnProgress } from './filling.js';
import type { RebuildDeadLetters } from './rebuild-dead-letters.js';
import { dropStrays, Shadows, SWITCH_GRACE } from './shadows.js';
import type { FoldFailure } from './write-buffer.js';

/** A shadow whose beat the leader has not seen change for this time is dropped. */
const STANDS_STILL_AFTER: Duration = MINUTE;
const LOOK_INTERVAL: Duration = 100;
/** Is no version. */
const NOT_KEPT = 0;
const NEVER_ABORTED = new AbortController().signal;

/**
 * Rebuilds read models: any process fills shadow collections from the start of the log while the live ones serve. The
 * leader folds the rest between two pages of the lane and switches, so no two processes write one collection, and no
 * answer becomes older. It reads the log and writes collections, and causes no other effect.
 */
export class Rebuild {
  private readonly beats = new Map<
    string,
    Pick<ShadowCollection, 'collection' | 'beat'> & { readonly since: Duration }
  >();

  constructor(
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    /** Without it, an event that cannot be folded ends the rebuild. */
    private readonly deadLetters?: RebuildDeadLetters,
    /** A monotonic clock, in milliseconds. */
    private readonly elapsed: () => Duration = () => performance.now(),
  ) {}

  /** Fills shadows, and waits until the leader, in whichever process, has switched to them. */
  async run(
    projections: readonly Projection[],
    onProgress: OnProgress = () => undefined,
    signal = NEVER_ABORTED,
  ): Promise<void> {
    const groups = [...byRunner(projections).values()];
    let ended = { events: 0, share: 0 };
    for (const own of groups) {
      const before = ended;
      const progress: OnProgress = ({ events, share }) => {
        ended = { events: before.events + events, share: before.share + share / groups.length };
        onProgress(ended);
      };
      const { shadows, retried } = await this.fill(own, progress, signal);
      try {
        await shadows.switched(signal);
        await retried();
      } finally {
        await shadows.end();
      }
    }
    await dropStrays(this.store, projections);
  }

  /** For the leader, before the lane starts from this checkpoint: rebuilds what is outdated, and drops what is left over. */
  async prepare(projections: readonly Projection[], checkpoint: Checkpoint, signal: AbortSignal): Promise<void> {
    const { store } = this;
    // From now on a former leader switches nothing.
    for (const { name } of projections) await changeEntry(store, name, (entry) => entry, checkpoint.fence);
    for (const { name } of await this.unerased(projections, checkpoint))
      await this.note({ [name]: NOT_KEPT }, checkpoint);
    for (let isFirst = true; ; isFirst = false) {
      const outdated = await this.outdated(projections);
      if (outdated.length === 0) break;
      const entries = await entriesOf(store, outdated);
      // One that has replaced ours is waited for.
      const own = outdated.filter(({ name }) => isFirst || entries.get(name)?.rebuild === undefined);
      const filled = own.length > 0 ? await this.fill(own, () => undefined, signal) : undefined;
      const switched = await this.finish(projections, checkpoint);
      await filled?.shadows.end();
      if (switched.length === 0) await delay(LOOK_INTERVAL, undefined, { signal });
      else await this.note(versionsOf(switched), checkpoint);
      if (own.every((each) => switched.includes(each))) await filled?.retried();
    }
    await dropStrays(store, projections);
  }

  /**
   * For the leader, between two pages of the lane: folds the rest into shadows that are filled, switches to them, and gives
   * up those whose process stands still. Returns what it has switched.
   */
  async finish(projections: readonly Projection[], checkpoint: Checkpoint): Promise<readonly Projection[]> {
    const { store } = this;
    const entries = await entriesOf(store, projections);
    const filled = projections.flatMap((projection) => {
      const shadow = entries.get(projection.name)?.rebuild;
      return shadow?.isFilled && shadow.version === projection.version ? [{ projection, ...shadow }] : [];
    });
    const complete: typeof filled = [];
    for (const [position, targets] of Map.groupBy(filled, (each) => each.position)) {
      const failures: FoldFailure[] = [];
      const write: Filling['write'] = (writes) => store.write(writes, checkpoint);
      const filling = new Filling(targets, this.log, store, write, this.onFailure(failures), undefined, position);
      await filling.through(checkpoint.position, NEVER_ABORTED);
      await this.deadLetters?.record(failures);
      if (filling.reached >= checkpoint.position) complete.push(...targets);
    }
    const switched = [];
    for (const { projection, collection, version } of complete) {
      const switchTo = (entry: LiveCollection | undefined): LiveCollection | undefined =>
        entry?.rebuild?.collection === collection ? { id: entry.id, collection, version } : undefined;
      if (await changeEntry(store, projection.name, switchTo, checkpoint.fence)) switched.push(projection);
    }
    const givenUp = await this.giveUp(entries, checkpoint.fence);
    if (switched.length > 0) await delay(SWITCH_GRACE);
    if (switched.length > 0 || givenUp) await dropStrays(store, projections);
    return switched;
  }

  /** Those that are live in another version, or were not kept up to date by the lane's last build (D112). */
  async outdated(projections: readonly Projection[]): Promise<Projection[]> {
    const live = await liveCollectionsOf(this.store, projections);
    const ofRunners = [...byRunner(projections)].map(async ([runner, own]) => {
      const checkpoint = await this.store.checkpoint(laneOfReadModels(runner));
      return own.filter((each) => live.get(each.name)?.version !== each.version || !isKept(checkpoint, each));
    });
    return (await Promise.all(ofRunners)).flat();
  }

  /** Those that an erasure after the checkpoint may have left out, because an older build made it and does not know them. */
  private async unerased(projections: readonly Projection[], { position }: Checkpoint): Promise<Projection[]> {
    const missed = projections.map(async (projection) => {
      if (projection.erasedBy === undefined) return [];
      const types = new Set([projection.erasedBy]);
      const { done } = await eventsOf(this.log, { types }, position).next();
      return done === true ? [] : [projection];
    });
    return (await Promise.all(missed)).flat();
  }

  /** D112: notes which read models the lane keeps from here on. */
  private async note(versions: Readonly<Record<string, number>>, checkpoint: Checkpoint): Promise<void> {
    const { event } = (await this.store.checkpoint(checkpoint.name)) ?? checkpoint;
    const readModels = { ...event?.readModels, ...versions };
    const at = event ?? checkpoint.event;
    await this.store.write([], { ...checkpoint, event: at && { ...at, readModels } });
  }

  /** Fills shadows of read models of one runner until they have reached its lane. */
  private async fill(projections: readonly Projection[], onProgress: OnProgress, signal: AbortSignal) {
    const { deadLetters, log, store } = this;
    const lane = laneOfReadModels(projections[0]?.runner ?? READ_MODELS);
    const reached = async () => (await store.checkpoint(lane))?.position ?? 0;
    const shadows = await Shadows.create('rebuild', projections, store);
    try {
      const failures: FoldFailure[] = [];
      const write: Filling['write'] = (writes, position) => store.write(writes, undefined, position);
      const filling = new Filling(shadows.targets, log, store, write, this.onFailure(failures), onProgress);
      await filling.through(await reached(), signal);
      await shadows.index(signal);
      const earlier = (await deadLetters?.ofReadModels(projections)) ?? [];
      await filling.through(await reached(), signal);
      const failed = await deadLetters?.record(failures);
      const { reached: position } = filling;
      await shadows.filled(position);
      const folded = earlier.filter((each) => each.position <= position && failed?.has(each.id) !== true);
      const retried = async () => deadLetters?.retried(folded);
      return { shadows, retried };
    } catch (error) {
      await shadows.end();
      throw error;
    }
  }

  private onFailure(failures: FoldFailure[]) {
    return this.deadLetters && ((failure: FoldFailure) => void failures.push(failure));
  }

  /** Takes shadows whose process stands still out of the entries. */
  private async giveUp(entries: ReadonlyMap<string, LiveCollection>, fence: number): Promise<boolean> {
    let isAny = false;
    for (const [name, { rebuild, comparison }] of entries) {
      for (const [kind, shadow] of Object.entries({ rebuild, comparison })) {
        if (shadow === undefined || !this.standsStill(`${name} ${kind}`, shadow)) continue;
        const without = (entry: LiveCollection = noCollectionOf(name)): LiveCollection | undefined =>
          isDeepStrictEqual(Reflect.get(entry, kind), shadow) ? { ...entry, [kind]: undefined } : undefined;
        isAny = (await changeEntry(this.store, name, without, fence)) || isAny;
      }
    }
    return isAny;
  }

  private standsStill(key: string, { collection, beat }: ShadowCollection): boolean {
    const [seen, now] = [this.beats.get(key), this.elapsed()];
    const isSame = seen?.collection === collection && seen.beat === beat;
    if (!isSame) this.beats.set(key, { collection, beat, since: now });
    return isSame && now - seen.since >= STANDS_STILL_AFTER;
  }
}

export const versionsOf = (projections: readonly Projection[]): Readonly<Record<string, number>> =>
  Object.fromEntries(projections.map(({ name, version }) => [name, version]));
