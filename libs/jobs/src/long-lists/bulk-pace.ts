import { AsyncLocalStorage } from 'node:async_hooks';
import { AgencyPermits, type Permit } from '#kernel';

/** How many items bulk work handles before it lets others continue. */
export const BATCH_SIZE = 16;
/** A list of at most this length that a request waits for skips the queue. Rate limits bound the number of such lists. */
const SHORT_LIST = 2 * BATCH_SIZE;
/** How many pages of records of one agency may be in the memory of this process. */
const MAX_PAGES_PER_AGENCY = 4;

/**
 * Limits the rate of bulk appends, such as a first synchronization of 20,000 leaks. In this process one batch runs at a
 * time, agencies take turns, and a batch starts only when the read models have passed the batch before it. So a write of
 * another agency waits for the read models behind at most one batch. The same lag slows down other processes.
 */
export class BulkPace {
  private readonly turns = new AgencyPermits({ perAgency: 1, total: 1 });
  private readonly pages = new AgencyPermits({ perAgency: MAX_PAGES_PER_AGENCY });
  private readonly longLists = new AgencyPermits({ perAgency: 1 });
  private readonly shortLists = new AgencyPermits({ perAgency: 1 });

  /** The waiting time between two batches belongs to the work of neither, so its reads are counted for neither. */
  private readonly outsideOfWork = AsyncLocalStorage.snapshot();

  /** `readModelsCaughtUp` resolves when the read models have passed what the last batch appended. */
  constructor(private readonly readModelsCaughtUp: () => Promise<unknown>) {}

  /** After an abort it rejects when the batch under way has ended. A signal means that a request waits. */
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
      await this.run(turn, () => allDone(batch.map(work)));
    }
  }

  /** Their number is limited because pages take memory; of long lists one page at a time: 20,000 records take seconds. */
  withPagePermit<T>(agency: string, task: () => Promise<T>, isLong = false): Promise<T> {
    const hold = () => this.pages.run(agency, task);
    return isLong ? this.longLists.run(agency, hold) : hold();
  }

  private async run(turn: Permit, batch: () => Promise<void>): Promise<void> {
    try {
      await batch();
    } finally {
      // The caller of the last batch does not wait for the read models here.
      const end = () => turn.release();
      this.outsideOfWork(this.readModelsCaughtUp).then(end, end);
    }
  }
}

/** Waits for all tasks, also if one fails, because a batch has not ended while one of its appends is under way. */
const allDone = async (tasks: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(tasks)).find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};
