import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CompactMap } from './compact-map.js';
import { memorySizeOf } from './memory-size.js';

const texts = fc.string({ unit: fc.constantFrom(...'ab1-_:.'), maxLength: 5 });

test('holds what a map of JavaScript holds, and each version stays as it was', () => {
  const change = fc.oneof(fc.record({ key: texts, value: texts }), fc.record({ without: texts }));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40, size: 'max' }), (changes) => {
      const expected = new Map<string, string>();
      let map = CompactMap.empty<string, string>();
      const [empty, versions] = [map, [{ map, entries: [] as [string, string][] }]];
      for (const change of changes) {
        if ('key' in change) {
          expected.set(change.key, change.value);
          map = map.set(change.key, change.value);
        } else {
          for (const [key, value] of expected) if (value === change.without) expected.delete(key);
          map = map.without(change.without);
        }
        versions.push({ map, entries: [...expected] });
      }
      for (const { map: version, entries } of versions) {
        expect([...version.entries()].sort()).toEqual(entries.sort());
        expect(version.size).toBe(entries.length);
        for (const [key, value] of entries) expect([version.has(key), version.get(key)]).toEqual([true, value]);
        expect(version.get('another')).toBeUndefined();
      }
      for (const value of new Set(expected.values())) map = map.without(value);
      expect(map).toEqual(empty);
    }),
  );
});

test('an entry takes little more than its characters', () => {
  let map = CompactMap.empty<string, string>();
  for (let n = 0; n < 20_000; n++) map = map.set(`${n}`.padStart(22, '-'), 'v'.repeat(30));
  expect(memorySizeOf(map)).toBeGreaterThan(20_000 * 54);
  expect(memorySizeOf(map)).toBeLessThan(20_000 * 65);
});
