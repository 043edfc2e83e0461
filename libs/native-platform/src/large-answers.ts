import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Duration, FairSemaphore, SECOND } from '#kernel';

/** Reading a mebibyte and comparing it with what is known takes some 50 ms, during which no other work runs. */
const LARGE_BYTES_PER_SECOND = 1024 * 1024;
const CACHE_SIZE = 1_000;

/** Bounds what large answers to one agency take of what others need: one at a time, so many bytes a second. */
export class LargeAnswers {
  private readonly permits = new FairSemaphore({ perAgency: 1 });
  /** Until when an agency's last large answer counts against its rate. */
  private readonly paidAt = new LRUCache<string, number>({ max: CACHE_SIZE });

  constructor(
    private readonly timeout: Duration,
    private readonly bytesPerSecond = LARGE_BYTES_PER_SECOND,
  ) {}

  /** `receive` returns how many bytes it counts as. Undefined if the turn does not come in time. */
  receive(agency: string, receive: () => Promise<number>, signal: AbortSignal): Promise<number | undefined> {
    const inTurn = async () => {
      const wait = (this.paidAt.get(agency) ?? 0) - performance.now();
      if (wait > 0) await delay(wait, undefined, { signal });
      const bytes = await receive();
      // Never so long that the next answer cannot get its turn in time.
      const pause = Math.min((bytes / this.bytesPerSecond) * SECOND, this.timeout / 2);
      this.paidAt.set(agency, performance.now() + pause);
      return bytes;
    };
    return this.permits.run(agency, inTurn, { timeout: this.timeout });
  }
}
