import { LRUCache } from 'lru-cache';
import type { Duration } from '../instant.js';
import type { Cache, Parts } from './cache.js';
import { CacheInParts } from './cache-in-parts.js';
import { memorySizeOf } from './memory-size.js';

/** The size of an entry without its key and value. */
const ENTRY_OVERHEAD = 150;
/** The timer that removes an entry with a `ttl`. */
const TIMER_BYTES = 260;

export interface CacheLimits {
  readonly bytes: number;
  /** How long an entry is valid. Then it leaves the memory, as it may hold personal data or its keys. */
  readonly ttl?: Duration;
  /** The size of every entry with its key; default: that of its key and value. */
  readonly entryBytes?: number;
}

/** With `CACHES=off` each is always empty, so that a result can be compared with what the stores alone answer. */
export class Caches {
  static readonly ON = new Caches(true);
  static readonly OFF = new Caches(false);

  private constructor(
    /** For what is no LRU cache, but keeps something for later requests all the same. */
    readonly areOn: boolean,
  ) {}

  /** An LRU cache; a value that is larger than the whole cache is not kept. */
  create<Key extends string, Value extends NonNullable<unknown>>(limits: CacheLimits): Cache<Key, Value> {
    if (!this.areOn) return new EmptyCache();
    const { bytes, ttl, entryBytes } = limits;
    const sizeOf = entryBytes === undefined ? entrySizeBy(memorySizeOf) : () => entryBytes;
    // Without a number of entries: the library would reserve memory for all of them.
    if (ttl === undefined) return new LRUCache<Key, Value>({ maxSize: bytes, sizeCalculation: sizeOf });
    const sizeCalculation = (value: Value, key: Key) => TIMER_BYTES + sizeOf(value, key);
    return new LRUCache<Key, Value>({ maxSize: bytes, sizeCalculation, ttl, ttlAutopurge: true });
  }

  createInParts<Key extends string, Value extends NonNullable<unknown>, Part extends string>(
    parts: Parts<Value, Part>,
  ): Cache<Key, Value> {
    return this.areOn ? new CacheInParts(parts, entrySizeBy(parts.sizeOf)) : new EmptyCache();
  }
}

const entrySizeBy =
  <Value>(sizeOf: (value: Value) => number) =>
  (value: Value, key: string): number =>
    Math.ceil(ENTRY_OVERHEAD + key.length + sizeOf(value));

class EmptyCache implements Cache<string, never> {
  get = (): undefined => undefined;
  peek = (): undefined => undefined;
  set = (): void => undefined;
  delete = (): void => undefined;
  clear = (): void => undefined;
}
