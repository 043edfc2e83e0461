import { setTimeout as delay } from 'node:timers/promises';
import { holderName, Leases, takeCheckpoint } from '#jobs';
import {
  type Checkpoint,
  type Clock,
  type DocumentStore,
  type Duration,
  type Lease,
  newEventId,
  SECOND,
  WORKER_LEASE,
} from '#kernel';
import { laneOfReadModels } from '../engine/read-models-runner.js';
import { LIVE_COLLECTION_TTL } from '../stored-live-collections.js';

const LEASE_TTL: Duration = 6 * SECOND;
const RETRY_INTERVAL: Duration = 500;
/** After this time, every reader has read again which collection is live. */
const SWITCH_GRACE: Duration = 2 * LIVE_COLLECTION_TTL;
const NEVER_ABORTED = new AbortController().signal;

export const rebuildLease = (runner: string): string => `rebuild:${runner}`;

/** Lets one process at a time rebuild or compare read models, and pauses the runner that keeps them. */
export class RebuildLock {
  private readonly name: string;
  private readonly leases: Leases;

  constructor(
    private readonly runner: string,
    private readonly store: DocumentStore,
    clock: Clock,
    /** Of the leader that calls this while its lane does not run. */
    private readonly fence?: number,
  ) {
    this.name = rebuildLease(runner);
    // A separate holder name, because the runner may be in this process and has to stop too.
    this.leases = new Leases(store, clock, holderName(newEventId()));
  }

  /** Waits for the lease and runs the task. `isOurs` is aborted when the lease is lost, or with `signal`. */
  async run<T>(task: (lease: Lease, isOurs: AbortSignal) => Promise<T>, signal = NEVER_ABORTED): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      const lease = await this.leases.acquire(this.name, LEASE_TTL);
      if (lease !== undefined) {
        return this.leases.withRenewal(lease, LEASE_TTL, async (lost) => {
          await takeCheckpoint(this.store, this.name, lease.fence);
          return task(lease, AbortSignal.any([signal, lost]));
        });
      }
      await delay(RETRY_INTERVAL, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Leads in place of the process that does, for the time of the task: no lane runs during this time. */
  async withRunnerPaused<T>(task: (paused: Checkpoint, lost: AbortSignal) => Promise<T>): Promise<T> {
    const lane = laneOfReadModels(this.runner);
    if (this.fence !== undefined) return task(await takeCheckpoint(this.store, lane, this.fence), NEVER_ABORTED);
    const lease = await this.leases.forceAcquire(WORKER_LEASE, LEASE_TTL);
    return this.leases.withRenewal(lease, LEASE_TTL, async (lost) =>
      task(await takeCheckpoint(this.store, lane, lease.fence), lost),
    );
  }

  /** The same for a task that switches collections. The runner continues when all readers know the new ones. */
  switchCollections(task: (paused: Checkpoint, lost: AbortSignal) => Promise<void>): Promise<void> {
    return this.withRunnerPaused(async (paused, lost) => {
      await task(paused, lost);
      await delay(SWITCH_GRACE);
    });
  }
}
