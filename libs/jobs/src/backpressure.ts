import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Duration, type EventLog, FairSemaphore, type LanePositions, SECOND } from '#kernel';

/** How many items bulk work handles before it lets others continue. */
export const BATCH_SIZE = 16;
/** A list of at most this length that a request waits for skips the queue. Rate limits bound the number of such lists. */
const SHORT_LIST = 2 * BATCH_SIZE;
/** How many pages of records of one agency may be in the memory of this process. */
const MAX_PAGES_PER_AGENCY = 4;
/** Publisher and webhook scheduling append events too, one after the other; each round waits for the latest of them. */
const ROUNDS = 3;
const ROUND_TIMEOUT: Duration = 5 * SECOND;
/** A runner that has not advanced for this long is not waited for: a page of the roster takes seconds without a worker. */
const STALLED_AFTER: Duration = SECOND;
/** The longest pause after a part, and the pause while a runner is behind: its backlog stays short. */
const MAX_REST: Duration = 250;

/**
 * Limits the rate of bulk appends, such as a first synchronization of 20,000 leaks. One batch runs at a time, agencies take
 * turns, and a batch starts when the read models have passed the one before it, so that a write waits behind at most one.
 */
export class Backpressure {
  private readonly turns = new FairSemaphore({ perAgency: 1, total: 1 });
  private readonly pages = new FairSemaphore({ perAgency: MAX_PAGES_PER_AGENCY });
  private readonly longLists = new FairSemaphore({ perAgency: 1 });
  private readonly shortLists = new FairSemaphore({ perAgency: 1 });

  /** The waiting time between two batches belongs to the work of neither, so its reads are counted for neither. */
  private readonly outsideOfWork = AsyncLocalStorage.snapshot();

  /** `readModelsCaughtUp` resolves when the read models have passed what the last batch appended. */
  constructor(private readonly readModelsCaughtUp: () => Promise<unknown>) {}

  /** After an abort it rejects when the current batch has ended. A signal means that a request waits. */
  async inBatches<Item>(
    agency: string,
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
    signal?: AbortSignal,
  ): Promise<void> {
    if (items.length === 0) return;
    if (signal !== undefined && items.length <= SHORT_LIST) {
      await this.shortLists.run(agency, () => allDone(items.map(work)), { signal });
      return;
    }
    for (let first = 0; first < items.length; first += BATCH_SIZE) {
      const batch = items.slice(first, first + BATCH_SIZE);
      const turn = await this.turns.acquire(agency, { signal });
      try {
        await allDone(batch.map(work));
      } finally {
        // The caller of the last batch does not wait for the read models here.
        const end = () => turn.release();
        this.outsideOfWork(this.readModelsCaughtUp).then(end, end);
      }
    }
  }

  /** Their number is limited because pages take memory; of long lists one page at a time: 20,000 records take seconds. */
  withPagePermit<T>(agency: string, task: () => Promise<T>, isLong = false): Promise<T> {
    const hold = () => this.pages.run(agency, task);
    return isLong ? this.longLists.run(agency, hold) : hold();
  }
}

/** Pauses for as long as the runners took for the last batch, so that other work gets half of the time. */
export const backpressureBehind = (runners: readonly string[], log: EventLog, progress: LanePositions): Backpressure =>
  new Backpressure(async () => {
    const began = performance.now();
    let isPassed = true;
    for (let round = 0; isPassed && round < ROUNDS; round++) {
      isPassed = await progress.waitForPosition(runners, await log.head(), ROUND_TIMEOUT, STALLED_AFTER);
    }
    const rest = isPassed ? Math.min(performance.now() - began, MAX_REST) : MAX_REST;
    await delay(rest, undefined, { ref: false });
  });

/** Waits for all tasks, even if one fails, because a batch has not ended while one of its appends is under way. */
const allDone = async (tasks: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(tasks)).find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};
