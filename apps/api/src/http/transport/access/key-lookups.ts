import { LRUCache } from 'lru-cache';
import { type ApiKeyAccess, type IssuedKey, type KeyClaim, type KnownKeys } from '#agencies';
import { LookupAllowance } from '#http';
import { DomainError, type Instant, type KeyId } from '#kernel';

/** How many unknown keys are cached, each by its id of 30 characters: about 5 MB. */
const MAX_REFUSED = 20_000;
/** How many keys are cached that were found before their events were followed. */
const MAX_FOUND = 1_000;

/** Bounds the cost of unknown secrets (D70). Keys that have been issued never count. */
export class KeyLookups {
  private readonly refused = new LRUCache<KeyId, true>({ max: MAX_REFUSED });
  private readonly found = new LRUCache<KeyId, true>({ max: MAX_FOUND });
  private readonly allowance = new LookupAllowance();
  /** Lookups in progress: concurrent requests with the same new key share one. */
  private readonly underWay = new Map<KeyId, Promise<IssuedKey>>();

  constructor(
    private readonly keys: Pick<ApiKeyAccess, 'open'>,
    private readonly known: KnownKeys,
  ) {}

  /** The secret's valid key, or `unauthorized`; `rate_limited` if the address has looked up too many unknown ones. */
  async authenticate(secret: string, now: Instant, addressOf: () => string): Promise<IssuedKey> {
    const claim = this.known.claimOf(secret);
    if (claim === undefined) throw new DomainError('unauthorized');
    const end = this.known.endOf(claim.keyId);
    if (end === undefined && !this.found.has(claim.keyId)) return this.lookUp(claim, now, addressOf);
    if (end !== undefined && now >= end) throw new DomainError('unauthorized');
    return this.keys.open(claim, now);
  }

  private async lookUp(claim: KeyClaim, now: Instant, addressOf: () => string): Promise<IssuedKey> {
    const { keyId } = claim;
    if (this.refused.has(keyId)) throw new DomainError('unauthorized');
    const underWay = this.underWay.get(keyId);
    if (underWay !== undefined) return underWay;
    const address = addressOf();
    if (!this.allowance.take(address, now)) throw new DomainError('rate_limited', { retryAfterSeconds: 1 });
    const lookUp = this.keys.open(claim, now).then(
      (key) => {
        this.found.set(keyId, true);
        this.allowance.giveBack(address, now);
        return key;
      },
      (error: unknown) => {
        // A key that is issued later is valid as soon as its events are followed.
        if (error instanceof DomainError) this.refused.set(keyId, true);
        throw error;
      },
    );
    this.underWay.set(keyId, lookUp);
    return lookUp.finally(() => this.underWay.delete(keyId));
  }
}
