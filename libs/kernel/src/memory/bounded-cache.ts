import { LRUCache } from 'lru-cache';
import { memorySizeOf } from './memory-size.js';

/** The size of an entry without its key and value. */
const OF_AN_ENTRY = 150;

/**
 * An LRU cache with a limit of entries and of bytes, so that large values cannot grow the process. A value that is larger
 * than the whole cache is not kept.
 */
export const boundedCache = <Key extends string, Value extends object>(
  most: { readonly entries: number; readonly bytes: number },
  /** The approximate size of a value. */
  sizeOf: (value: Value) => number = memorySizeOf,
): LRUCache<Key, Value> =>
  new LRUCache({
    max: most.entries,
    maxSize: most.bytes,
    sizeCalculation: (value, key) => Math.ceil(OF_AN_ENTRY + key.length + sizeOf(value)),
  });
