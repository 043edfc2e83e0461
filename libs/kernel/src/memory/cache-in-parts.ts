import { LRUCache } from 'lru-cache';
import type { Cache, Parts } from './cache.js';

/** An LRU cache for each part: the entries of one part evict only each other. */
export class CacheInParts<Key extends string, Value extends NonNullable<unknown>, Part extends string>
  implements Cache<Key, Value>
{
  private readonly parts: ReadonlyMap<Part, LRUCache<Key, Value>>;
  private readonly all: readonly LRUCache<Key, Value>[];

  /** `sizeOf` is the size of an entry with its key. */
  constructor(
    private readonly limits: Parts<Value, Part>,
    private readonly sizeOf: (value: Value, key: Key) => number,
  ) {
    const names = Object.keys(limits.bytes) as Part[];
    this.parts = new Map(names.map((name) => [name, new LRUCache({ maxSize: limits.bytes[name] })]));
    this.all = [...this.parts.values()];
  }

  get(key: Key): Value | undefined {
    for (const part of this.all) {
      const value = part.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  peek(key: Key): Value | undefined {
    for (const part of this.all) {
      const value = part.peek(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  set(key: Key, value: Value): void {
    const size = this.sizeOf(value, key);
    const its = this.parts.get(this.limits.partOf(value, size));
    for (const part of this.all) if (part !== its) part.delete(key);
    its?.set(key, value, { size });
  }

  delete(key: Key): void {
    for (const part of this.all) part.delete(key);
  }

  clear(): void {
    for (const part of this.all) part.clear();
  }
}
