import type { IndexedValue } from '#kernel';

/** Nulls, then numbers, then strings by code point: the order of an index. */
export const compareValues = (one: IndexedValue, other: IndexedValue): number => {
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return rank(one) - rank(other);
};

const rank = (value: IndexedValue): number => (value === null ? 0 : typeof value === 'number' ? 1 : 2);

const compareText = (one: string, other: string): number => {
  const shorter = Math.min(one.length, other.length);
  for (let n = 0; n < shorter; n++) {
    const difference = weight(one.charCodeAt(n)) - weight(other.charCodeAt(n));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
};

/** UTF-16 puts surrogates, which make up the highest code points, before U+E000–U+FFFF. */
const weight = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit);
