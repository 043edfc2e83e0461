import { LRUCache } from 'lru-cache';
import { ageOf, type Duration, type Instant, SECOND } from '#kernel';

/** Failed lookups of keys that one address may cause in any second (D70). */
export const MAX_LOOKUPS_PER_SECOND = 10;
/** How many addresses are kept, the latest ones: about 3 MB. */
const MAX_ADDRESSES = 10_000;

/** How many lookups (of keys unless said otherwise) each address caused within the last second, or another window. */
export class LookupAllowance {
  /** The times of the lookups, earliest first. */
  private readonly lookups = new LRUCache<string, Instant[]>({ max: MAX_ADDRESSES });

  constructor(
    private readonly most = MAX_LOOKUPS_PER_SECOND,
    private readonly window: Duration = SECOND,
  ) {}

  take(address: string, now: Instant): boolean {
    const recent = (this.lookups.get(address) ?? []).filter((at) => ageOf(at, now) < this.window);
    const isWithin = recent.length < this.most;
    if (isWithin) recent.push(now);
    this.lookups.set(address, recent);
    return isWithin;
  }

  /** The lookup at that time found a key, so it does not count. */
  giveBack(address: string, takenAt: Instant): void {
    const recent = this.lookups.get(address);
    const index = recent?.indexOf(takenAt) ?? -1;
    if (index >= 0) recent?.splice(index, 1);
  }
}
