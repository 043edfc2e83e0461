import { LRUCache } from 'lru-cache';
import type { OpenSession, SessionSecret, Sessions } from '#dashboard';
import { DomainError, type Instant } from '#kernel';
import { LookupAllowance } from '../../../api/src/http/transport/access/lookup-allowance.js';

/** How many sessions are remembered that were found, each by its id of 64 characters: about 2 MB. */
const MAX_FOUND = 5_000;

/** Bounds the cost of unknown cookies, as of unknown keys (D70). A session never counts after it was found once. */
export class SessionLookups {
  private readonly found = new LRUCache<string, true>({ max: MAX_FOUND });
  private readonly allowance = new LookupAllowance();
  /** Concurrent first requests of one session share one lookup. */
  private readonly underWay = new Map<string, Promise<OpenSession | undefined>>();

  constructor(private readonly sessions: Pick<Sessions, 'find'>) {}

  /** The session of that cookie; `rate_limited` if the address has looked up too many that there are not. */
  async find(secret: SessionSecret, now: Instant, addressOf: () => string): Promise<OpenSession | undefined> {
    const { id } = secret;
    if (this.found.has(id)) return this.lookUp(secret);
    const underWay = this.underWay.get(id);
    if (underWay !== undefined) return underWay;
    const address = addressOf();
    if (!this.allowance.take(address, now)) throw new DomainError('rate_limited', { retryAfterSeconds: 1 });
    const lookUp = this.lookUp(secret).then((session) => {
      if (session !== undefined) this.allowance.giveBack(address, now);
      return session;
    });
    this.underWay.set(id, lookUp);
    return lookUp.finally(() => this.underWay.delete(id));
  }

  private async lookUp(secret: SessionSecret): Promise<OpenSession | undefined> {
    const session = await this.sessions.find(secret);
    if (session === undefined) this.found.delete(secret.id);
    else this.found.set(secret.id, true);
    return session;
  }
}
