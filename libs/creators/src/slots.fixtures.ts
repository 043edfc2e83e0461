import type { Effect, UserId } from '#kernel';
import type { SlotPage } from './application/access/creator-platform.js';

const DONE: Effect<void> = { outcome: 'done', value: undefined };

/** The slots of an agency at a platform, with their fences, in memory. */
export class FakeSlots {
  readonly held = new Set<UserId>();
  /** The highest that was seen for each slot. */
  readonly fences = new Map<UserId, number>();
  /** Whether this platform has the list. */
  isListed = true;

  list({ limit, after = '' as UserId }: { readonly limit: number; readonly after?: UserId }): SlotPage | undefined {
    if (!this.isListed) return undefined;
    const rest = [...this.held].filter((userId) => userId > after).sort();
    const slots = rest.slice(0, limit).map((userId) => ({ userId, fence: this.fences.get(userId) ?? 1 }));
    return { slots, nextCursor: rest.length > limit ? (slots.at(-1)?.userId ?? null) : null };
  }

  occupy(userId: UserId, fence: number, total: number): Effect<void> {
    const stale = this.raise(userId, fence);
    if (stale !== undefined) return stale;
    if (!this.held.has(userId) && this.held.size === total) return { outcome: 'refused', code: 'capacity_reached' };
    this.held.add(userId);
    return DONE;
  }

  release(userId: UserId, fence: number): Effect<void> {
    const stale = this.raise(userId, fence);
    if (stale !== undefined) return stale;
    this.held.delete(userId);
    return DONE;
  }

  private raise(userId: UserId, fence: number): Effect<void> | undefined {
    const highest = this.fences.get(userId) ?? 1;
    if (fence < highest) return { outcome: 'refused', code: 'stale_fence', fence: highest };
    this.fences.set(userId, fence);
    return undefined;
  }
}
