import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AgencyPermits, type Duration, SECOND } from '#kernel';

/** Of the connections to a service, one agency takes so many at a time. */
const CALLS_PER_AGENCY = 32;
/** Reading and checking a mebibyte takes some 20 ms in which nobody else has a turn. */
const BYTES_PER_SECOND = 2 * 1024 * 1024;
const CACHE_SIZE = 1_000;

/** How agencies share a service: large answers to one never take the connections, the memory or the time of others. */
export class AgencyShares {
  private readonly calls = new AgencyPermits(CALLS_PER_AGENCY);
  private readonly large = new AgencyPermits(1);
  /** When an agency's last large answer is paid for. */
  private readonly paidAt = new LRUCache<string, number>({ max: CACHE_SIZE });

  constructor(private readonly timeout: Duration) {}

  /** Sends a call when the agency has room for it; undefined where it has none in time. */
  call<T>(agency: string, send: () => Promise<T>): Promise<T | undefined> {
    return this.calls.run(agency, send, { timeout: this.timeout });
  }

  /**
   * Receives a large answer when it is its turn: one of an agency at a time, and so many bytes a second. `receive`
   * returns how many there were; undefined where its turn does not come in time.
   */
  receive(agency: string, receive: () => Promise<number>, signal: AbortSignal): Promise<number | undefined> {
    const inTurn = async () => {
      const wait = (this.paidAt.get(agency) ?? 0) - performance.now();
      if (wait > 0) await delay(wait, undefined, { signal });
      const bytes = await receive();
      this.paidAt.set(agency, performance.now() + (bytes / BYTES_PER_SECOND) * SECOND);
      return bytes;
    };
    return this.large.run(agency, inTurn, { timeout: this.timeout });
  }
}
