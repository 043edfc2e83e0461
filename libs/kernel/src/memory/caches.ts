import { LRUCache } from 'lru-cache';
import type { Duration } from '../instant.js';
import { memorySizeOf } from './memory-size.js';

class CacheInParts<Key extends string, Value extends NonNullable<unknown>, Part extends string>
  implements Cache<Key, Value>
{
  private readonly parts: ReadonlyMap<Part, LRUCache<Key, Value>>;
  private readonly all: readonly LRUCache<Key, Value>[];

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

export interface Cache<Key extends string, Value> {
  get(key: Key): Value | undefined;
  /** The value, without counting as a use of the entry. */
  peek(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/** The parts of a cache whose entries evict only those of the same part. */
export interface Parts<Value, Part extends string> {
  readonly bytes: Readonly<Record<Part, number>>;
  partOf(value: Value, size: number): Part;
  readonly sizeOf: (value: Value) => number;
}

const LARGE = 16 * 1024;

/** A hundred large entries take as much as ten thousand usual ones, and one agency may have them. */
export const partBySize = (size: number): 'usual' | 'large' => (size > LARGE ? 'large' : 'usual');

const ENTRY_OVERHEAD = 150;
const TIMER_BYTES = 260;

export interface CacheLimits {
  readonly bytes: number;
  /** How long an entry is valid. Then it leaves the memory, as it may hold personal data or its keys. */
  readonly ttl?: Duration;
  /** The size of each entry with its key; default: that of its key and value. */
  readonly entryBytes?: number;
}

/** With `CACHES=off` each is always empty, so that a result can be compared with what the stores alone answer. */
export class Caches {
  static readonly ON = new Caches(true);
  static readonly OFF = new Caches(false);

  private constructor(
    /** For caches that are not LRU caches, but also keep something for later requests. */
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
