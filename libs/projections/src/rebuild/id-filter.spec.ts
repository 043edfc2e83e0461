import { expect, test } from '@jest/globals';
import { derivedId } from '#kernel';
import { IdFilter } from './id-filter.js';

const ids = (count: number, kind: string) => Array.from({ length: count }, (_, n) => derivedId('case', kind, n));

test('an id that was added is always found', () => {
  const filter = new IdFilter();
  const known = ids(20_000, 'known');
  for (const id of known) filter.add(id);
  expect(known.every((id) => filter.mayHave(id))).toBe(true);
});

test('an id that was not added is rarely found', () => {
  const filter = new IdFilter();
  for (const id of ids(20_000, 'known')) filter.add(id);
  expect(ids(20_000, 'other').filter((id) => filter.mayHave(id)).length).toBeLessThan(20);
});
