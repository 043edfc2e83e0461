import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AgencyPermits, type Duration, type PermitLimits, SECOND } from '#kernel';

/** How many connections to one service this process may open. */
export const CONNECTIONS = 1_024;
/**
 * D89: one agency uses few of the connections, and one that uses none always finds one. The others count for nothing
 * then, and half of all connections is left for that.
 */
const CALLS: PermitLimits = { perAgency: 8, total: CONNECTIONS / 2, slowAfter: 0 };
/** Reading a mebibyte and comparing it with what is known takes some 50 ms, during which no other work runs. */
const LARGE_BYTES_PER_SECOND = 1024 * 1024;
const CACHE_SIZE = 1_000;

/** How agencies share a service, so that large answers to one agency do not use up what others need. */
export class AgencyShares {
  private readonly calls = new AgencyPermits(CALLS);
  private readonly large = new AgencyPermits({ perAgency: 1 });
  /** Until when an agency's last large answer counts against its rate. */
  private readonly paidAt = new LRUCache<string, number>({ max: CACHE_SIZE });

  constructor(
    private readonly timeout: Duration,
    private readonly bytesPerSecond = LARGE_BYTES_PER_SECOND,
  ) {}

  /** Sends a call when the agency has a free connection; undefined if none is free in time. */
  call<T>(agency: string, send: () => Promise<T>): Promise<T | undefined> {
    return this.calls.run(agency, send, { timeout: this.timeout });
  }

  /** One large answer of an agency at a time, and a limited number of bytes a second. Undefined if no turn comes in time. */
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
    return this.large.run(agency, inTurn, { timeout: this.timeout });
  }
}
