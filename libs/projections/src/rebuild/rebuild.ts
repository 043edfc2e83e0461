import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type DeadLetters, isKept } from '#jobs';
import {
  type Checkpoint,
  type DocumentStore,
  type Duration,
  type EventLog,
  eventsOf,
  MINUTE,
  type Projection,
  processContext,
} from '#kernel';
import { type DeadLetterDocument, type DeadLetterList, readModelOf } from '../dead-letters/dead-letter-list.js';
import { byRunner, laneOfReadModels, READ_MODELS } from '../engine/read-models-runner.js';
import {
  changeEntry,
  entriesOf,
  type LiveCollection,
  liveCollectionsOf,
  type ShadowCollection,
} from '../stored-live-collections.js';
import { dropStrays, GivenUp, isOfDeadProcess, Shadows, SWITCH_GRACE } from './shadows.js';
import { Filling, type OnProgress } from './write-buffer.js';

/** A shadow whose beat the leader has not seen change for this time is dropped. */
const STANDS_STILL_AFTER: Duration = MINUTE;
const LOOK_INTERVAL: Duration = 100;
const NOT_KEPT = 0;

/**
 * Any process fills shadow collections from the start of the log while the live ones serve. The leader folds the rest
 * between two pages of the lane and switches, so no two processes write one collection, and no answer becomes older.
 */
export class Rebuild {
  private readonly beats = new Map<string, { readonly shadow: ShadowCollection; readonly since: Duration }>();

  constructor(
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    /** Without them, an event that cannot be folded ends the rebuild. */
    private readonly deadLetters?: DeadLetters,
    private readonly list?: Pick<DeadLetterList, 'list'>,
    private readonly elapsed: () => Duration = () => performance.now(),
  ) {}

  /** Fills shadows, and waits until the leader, in any process, has switched to them. Returns how many events were folded. */
  async run(projections: readonly Projection[], onProgress: OnProgress = () => undefined): Promise<number> {
    const groups = [...byRunner(projections).values()];
    let ended = { events: 0, share: 0 };
    for (const own of groups) {
      const before = ended;
      const progress: OnProgress = ({ events, share }) => {
        ended = { events: before.events + events, share: before.share + share / groups.length };
        onProgress(ended);
      };
      const { shadows, retried } = await this.fill(own, progress);
      try {
        await this.switched(shadows, own);
        await retried();
      } finally {
        await shadows.end();
      }
    }
    await dropStrays(this.store, projections);
    return ended.events;
  }

  /** Waits for the leader, but not for one of another version, which switches to none of them. */
  private async switched(shadows: Shadows, projections: readonly Projection[]): Promise<void> {
    for (const began = this.elapsed(); !(await shadows.areSwitched()); await delay(LOOK_INTERVAL)) {
      if (this.elapsed() - began < STANDS_STILL_AFTER) continue;
      const [other] = await this.unkept(projections);
      if (other === undefined) continue;
      const reason = `no worker that runs its version ${other.version} has taken it over within a minute`;
      throw new GivenUp(`the rebuild of ${other.name} was abandoned: ${reason}; run the tool of the worker's build`);
    }
    await delay(SWITCH_GRACE);
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
      // A later rebuild that has replaced ours is waited for.
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

  /** For the leader, between two pages of the lane: switches to filled shadows, and gives up those that stand still. */
  async finish(projections: readonly Projection[], checkpoint: Checkpoint): Promise<readonly Projection[]> {
    const { store } = this;
    const entries = await entriesOf(store, projections);
    const filled = projections.flatMap((projection) => {
      const shadow = entries.get(projection.name)?.rebuild;
      return shadow?.isFilled && shadow.version === projection.version ? [{ projection, ...shadow }] : [];
    });
    const complete: typeof filled = [];
    for (const [position, targets] of Map.groupBy(filled, (each) => each.position)) {
      const filling = new Filling(targets, this.log, store, undefined, position, checkpoint);
      await filling.through(checkpoint.position);
      await this.record(filling);
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

  /** Those of another version, or not kept up to date by the lane's last build (D112). */
  async outdated(projections: readonly Projection[]): Promise<Projection[]> {
    const live = await liveCollectionsOf(this.store, projections);
    const unkept = await this.unkept(projections);
    return projections.filter((each) => live.get(each.name)?.version !== each.version || unkept.includes(each));
  }

  private async unkept(projections: readonly Projection[]): Promise<Projection[]> {
    const ofRunners = [...byRunner(projections)].map(async ([runner, own]) => {
      const checkpoint = await this.store.checkpoint(laneOfReadModels(runner));
      return own.filter((each) => !isKept(checkpoint, each));
    });
    return (await Promise.all(ofRunners)).flat();
  }

  /** Those that an erasure after the checkpoint may have left out, because an older build made it and does not know them. */
  private async unerased(projections: readonly Projection[], { position }: Checkpoint): Promise<Projection[]> {
    const missed = projections.map(async ({ erasedBy }) => {
      if (erasedBy === undefined) return false;
      const { done } = await eventsOf(this.log, { types: new Set([erasedBy]) }, position).next();
      return done !== true;
    });
    const areMissed = await Promise.all(missed);
    return projections.filter((_, n) => areMissed[n]);
  }

  /** D112: notes which read models the lane keeps from here on. */
  private async note(versions: Readonly<Record<string, number>>, checkpoint: Checkpoint): Promise<void> {
    const { event } = (await this.store.checkpoint(checkpoint.name)) ?? checkpoint;
    const readModels = { ...event?.readModels, ...versions };
    const at = event ?? checkpoint.event;
    await this.store.write([], { ...checkpoint, event: at && { ...at, readModels } });
  }

  /** Fills shadows of read models of one runner until they have reached its lane. */
  private async fill(projections: readonly Projection[], onProgress: OnProgress, signal?: AbortSignal) {
    const { log, store } = this;
    const lane = laneOfReadModels(projections[0]?.runner ?? READ_MODELS);
    const reached = async () => (await store.checkpoint(lane))?.position ?? 0;
    const shadows = await Shadows.create('rebuild', projections, store);
    try {
      const filling = new Filling(shadows.targets, log, store, onProgress);
      await filling.through(await reached(), signal);
      await shadows.index(signal);
      const names = new Set(projections.map(({ name }) => name));
      const earlier = (await this.list?.list())?.filter((each) => names.has(readModelOf(each) ?? '')) ?? [];
      await filling.through(await reached(), signal);
      const failed = await this.record(filling);
      const { reached: position } = filling;
      await shadows.filled(position);
      const folded = earlier.filter((each) => each.position <= position && !failed.has(each.id));
      return { shadows, retried: () => this.retried(folded) };
    } catch (error) {
      await shadows.end();
      throw error;
    }
  }

  /** Records which events cannot be folded (D67), maybe again. Returns the ids of these dead letters. */
  private async record({ failures }: Filling): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (const { readModel, event, error } of failures) {
      if (this.deadLetters === undefined) throw error;
      const { id, stream, revision, metadata } = event;
      const { name: part, runner = READ_MODELS } = readModel;
      const deadLetter = { runner, part, item: { kind: 'event', eventId: id, stream, revision } } as const;
      ids.add((await this.deadLetters.record(deadLetter, error, { ...metadata, id })).id);
    }
    return ids;
  }

  /** Records that the read models have now processed the events. */
  private async retried(deadLetters: readonly DeadLetterDocument[]): Promise<void> {
    for (const { eventId: id, correlationId, workspaceId, ...deadLetter } of deadLetters) {
      await this.deadLetters?.retry(deadLetter, processContext('rebuild', workspaceId, { id, correlationId }));
    }
  }

  /** Takes shadows whose process stands still out of the entries. */
  private async giveUp(entries: ReadonlyMap<string, LiveCollection>, fence: number): Promise<boolean> {
    let isAny = false;
    for (const [name, entry] of entries) {
      for (const kind of ['rebuild', 'comparison'] as const) {
        const shadow = entry[kind];
        if (shadow === undefined || !this.standsStill(`${name} ${kind}`, shadow)) continue;
        const without = (now: LiveCollection | undefined): LiveCollection | undefined =>
          now && isDeepStrictEqual(now[kind], shadow) ? { ...now, [kind]: undefined } : undefined;
        isAny = (await changeEntry(this.store, name, without, fence)) || isAny;
      }
    }
    return isAny;
  }

  private standsStill(key: string, shadow: ShadowCollection): boolean {
    if (isOfDeadProcess(shadow)) return true;
    const seen = this.beats.get(key);
    if (seen !== undefined && isDeepStrictEqual(seen.shadow, shadow))
      return this.elapsed() - seen.since >= STANDS_STILL_AFTER;
    this.beats.set(key, { shadow, since: this.elapsed() });
    return false;
  }
}

export const versionsOf = (projections: readonly Projection[]): Readonly<Record<string, number>> =>
  Object.fromEntries(projections.map(({ name, version }) => [name, version]));
