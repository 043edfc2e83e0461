import { setTimeout as delay } from 'node:timers/promises';
import type { DocumentStore, Lease } from './document-store.js';
import type { Position } from './event.js';
import { holderName } from './holder.js';
import { newEventId } from './ids.js';
import { type Clock, type Duration, SECOND } from './instant.js';
import { Leases } from './leases.js';
import { REMEMBERED } from './live-collections.js';
import { runnerLease, takeCheckpoint } from './log-runner.js';

const LEASE: Duration = 6 * SECOND;
const TURN: Duration = 500;
/** By then every reader has asked again which collection is live. */
const NOTICED: Duration = 2 * REMEMBERED;

/** Where the runner stood when it was stopped, and the fence by which its checkpoint may be written now. */
export interface Standstill {
  readonly position: Position;
  readonly fence: number;
}

/** Whoever holds it makes read models anew, or compares them. */
export const rebuildLease = (runner: string): string => `rebuild:${runner}`;

/**
 * Who makes read models anew, rolls them back or compares them does so alone, and can have the runner that keeps them
 * stand still, whichever process it is in.
 */
export class RebuildTurns {
  private readonly name: string;
  private readonly leases: Leases;

  constructor(
    private readonly runner: string,
    private readonly store: DocumentStore,
    clock: Clock,
  ) {
    this.name = rebuildLease(runner);
    // A holder of its own: even the runner of this very process has to stand back.
    this.leases = new Leases(store, clock, holderName(newEventId()));
  }

  /** Runs the task once nobody else has the turn; `isOurs` says when the turn is lost, or `signal` is aborted. */
  async alone<T>(signal: AbortSignal, task: (turn: Lease, isOurs: AbortSignal) => Promise<T>): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      const lease = await this.leases.acquire(this.name, LEASE);
      if (lease !== undefined) {
        return this.leases.holding(lease, LEASE, async (lost) => {
          await takeCheckpoint(this.store, this.name, lease.fence);
          return task(lease, AbortSignal.any([signal, lost]));
        });
      }
      await delay(TURN, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Runs the task while the runner stands still. */
  async atStandstill<T>(task: (still: Standstill, lost: AbortSignal) => Promise<T>): Promise<T> {
    const seized = await this.leases.seize(runnerLease(this.runner), LEASE);
    return this.leases.holding(seized, LEASE, async (lost) =>
      task({ position: await takeCheckpoint(this.store, this.runner, seized.fence), fence: seized.fence }, lost),
    );
  }

  /** The same for a task that switches to other collections: the next runner feeds them, and all readers know them. */
  switching(task: (still: Standstill, lost: AbortSignal) => Promise<void>): Promise<void> {
    return this.atStandstill(async (still, lost) => {
      await task(still, lost);
      await delay(NOTICED);
    });
  }
}
