import { expect, test } from '@jest/globals';
import { IdFilter } from './id-filter.js';
import { derivedId } from './ids.js';

const ids = (count: number, kind: string) => Array.from({ length: count }, (_, n) => derivedId('case', kind, n));

test('an id that was added is never forgotten', () => {
  const filter = new IdFilter();
  const known = ids(20_000, 'known');
  for (const id of known) filter.add(id);
  expect(known.every((id) => filter.mayHave(id))).toBe(true);
});

test('another one is seldom taken for it', () => {
  const filter = new IdFilter();
  for (const id of ids(20_000, 'known')) filter.add(id);
  expect(ids(20_000, 'other').filter((id) => filter.mayHave(id)).length).toBeLessThan(20);
});
