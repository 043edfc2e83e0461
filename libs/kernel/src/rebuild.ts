import { setTimeout as delay } from 'node:timers/promises';
import type { DocumentStore, Lease } from './document-store.js';
import type { Position } from './event.js';
import type { EventLog } from './event-log.js';
import { holderName } from './holder.js';
import { newEventId } from './ids.js';
import { type Clock, type Duration, SECOND } from './instant.js';
import { Leases } from './leases.js';
import { LIVE_COLLECTIONS, type LiveCollection, liveOnes, nextCollection, REMEMBERED } from './live-collections.js';
import { runnerLease, takeCheckpoint } from './log-runner.js';
import { type Projection, typesOf } from './projection.js';
import type { Target } from './projection-engine.js';
import { Unwritten } from './unwritten.js';

/** More events at once mean longer pauses for everything else. */
const PAGE = 1_000;
/** Documents that are kept in memory before they are written. */
const UNWRITTEN_BYTES = 24 * 1024 * 1024;
const LEASE: Duration = 6 * SECOND;
const TURN: Duration = 500;
/** By then every reader has asked again which collection is live. */
const NOTICED: Duration = 2 * REMEMBERED;

/** What is being filled, and what of it has yet to be written. */
interface Shadows {
  readonly targets: readonly Target[];
  readonly unwritten: Unwritten;
}

const NEVER = new AbortController().signal;

/**
 * Makes read models anew: fills shadow collections from the beginning of the log while the live ones serve, and then
 * switches to them. It reads the log and writes collections, and does nothing else.
 *
 * No two ever feed one collection, and none is live that lacks what a reader may have been told it has: for the switch
 * the rebuild takes the runner's lease away, whichever process has it, catches the shadows up to the head, and gives
 * the lease back once every reader has looked again which collections are live. The next runner feeds those.
 */
export class Rebuild {
  private readonly name: string;
  private readonly leases: Leases;

  constructor(
    private readonly runner: string,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    clock: Clock,
  ) {
    this.name = `rebuild:${runner}`;
    // A holder of its own: even the runner of this very process has to stand back.
    this.leases = new Leases(store, clock, holderName(newEventId()));
  }

  /** Makes them anew, once no other rebuild is under way. */
  run(projections: readonly Projection[], signal = NEVER): Promise<void> {
    return this.alone(signal, async (lease, isOurs) => this.replace(projections, lease, isOurs));
  }

  /** Makes anew those that have never been made by the folds of this version. */
  async runOutdated(projections: readonly Projection[], signal = NEVER): Promise<void> {
    if ((await this.outdated(projections)).length === 0) return;
    // Another process may have been faster.
    await this.alone(signal, async (lease, isOurs) => this.replace(await this.outdated(projections), lease, isOurs));
  }

  private async outdated(projections: readonly Projection[]): Promise<Projection[]> {
    const live = await liveOnes(this.store, projections);
    return projections.filter(({ name, version }) => live.get(name)?.version !== version);
  }

  private async alone(signal: AbortSignal, task: (lease: Lease, isOurs: AbortSignal) => Promise<void>): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const lease = await this.leases.acquire(this.name, LEASE);
      if (lease !== undefined)
        return this.leases.holding(lease, LEASE, (lost) => task(lease, AbortSignal.any([signal, lost])));
      await delay(TURN, undefined, { signal }).catch(() => undefined);
    }
  }

  private async replace(projections: readonly Projection[], lease: Lease, signal: AbortSignal): Promise<void> {
    if (projections.length === 0) return;
    await takeCheckpoint(this.store, this.name, lease.fence);
    const live = await liveOnes(this.store, projections);
    const targets = projections.map((projection) => ({
      projection,
      collection: nextCollection(projection, live.get(projection.name)),
    }));
    // What an earlier rebuild did not finish.
    for (const { collection } of targets) await this.store.drop(collection);
    await this.store.ensure(targets.map(({ collection, projection: { indexes } }) => ({ name: collection, indexes })));
    const shadows = { targets, unwritten: new Unwritten(this.store, targets) };
    const filled = await this.fill(shadows, 0, lease, signal);
    await this.switchTo(shadows, filled, lease, signal);
    for (const { collection } of live.values()) await this.store.drop(collection);
  }

  /** Brings the shadows from a position to the head, which it returns. */
  private async fill(shadows: Shadows, from: Position, { fence }: Lease, signal: AbortSignal): Promise<Position> {
    const { targets, unwritten } = shadows;
    const types = typesOf(targets.map(({ projection }) => projection));
    for (let after = from; ; ) {
      signal.throwIfAborted();
      const { events, reached, atEnd } = await this.log.readLog({ after, types, limit: PAGE });
      await unwritten.apply(events);
      if (atEnd || unwritten.bytes > UNWRITTEN_BYTES) {
        await unwritten.write((writes) => this.store.write(writes, { name: this.name, position: reached, fence }));
      }
      if (atEnd) return reached;
      after = reached;
    }
  }

  private async switchTo(shadows: Shadows, filled: Position, lease: Lease, signal: AbortSignal): Promise<void> {
    const seized = await this.leases.seize(runnerLease(this.runner), LEASE);
    await this.leases.holding(seized, LEASE, async (lost) => {
      const position = await takeCheckpoint(this.store, this.runner, seized.fence);
      await this.fill(shadows, filled, lease, AbortSignal.any([signal, lost]));
      const put = shadows.targets.map(
        ({ projection: { name, version }, collection }): LiveCollection => ({ id: name, collection, version }),
      );
      const checkpoint = { name: this.runner, position, fence: seized.fence };
      await this.store.write([{ collection: LIVE_COLLECTIONS.name, put }], checkpoint);
      await delay(NOTICED);
    });
  }
}
