import { expect, it } from '@jest/globals';
import { sortedBy } from './lists.js';

const named = (...names: (string | null)[]) => names.map((name) => ({ name }));

it.each([
  ['name', named('B', null, 'a', 'Á 10', 'á 9'), named('a', 'á 9', 'Á 10', 'B', null)],
  ['-name', named('a', null, 'B'), named('B', 'a', null)],
])('texts sort as people read them by %s, and those without one come last', (sort, items, sorted) => {
  expect(sortedBy(items, sort)).toEqual(sorted);
});

it('numbers sort by their value', () => {
  expect(sortedBy([{ calls: 9 }, { calls: 10 }, { calls: 2 }], '-calls')).toEqual([
    { calls: 10 },
    { calls: 9 },
    { calls: 2 },
  ]);
});
