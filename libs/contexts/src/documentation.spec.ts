import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ALL_PROJECTIONS, DUE_KINDS, OTHER_COLLECTIONS } from './index.js';

const text = readFileSync(new URL('../../../docs/read-models.md', import.meta.url), 'utf8');

/** What the section of that name has between backticks. */
const namedIn = (heading: string): ReadonlySet<string> => {
  const section = text.split(/^##+ /m).find((candidate) => candidate.startsWith(`${heading}\n`)) ?? '';
  return new Set([...section.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name));
};

it.each(ALL_PROJECTIONS)('docs/read-models.md has the indexes and events of $name', ({ name, indexes, on }) => {
  const fields = indexes.flatMap((index) => index.fields);
  const types = [...on.keys()].map((type) => type.replace(/\.v\d+$/, ''));
  const named = namedIn(name);
  expect([...fields, ...types].filter((one) => !named.has(one))).toEqual([]);
  const categories = new Set(types.map((type) => type.split('.')[0]));
  const events = [...named].filter((one) => categories.has(one.split('.')[0]) && one.includes('.'));
  expect(events.filter((one) => !types.includes(one))).toEqual([]);
});

it('docs/read-models.md has each kind of due work', () => {
  const named = namedIn('due_work');
  expect(DUE_KINDS.filter((kind) => !named.has(kind))).toEqual([]);
});

it('docs/read-models.md has each collection that no projection writes', () => {
  const named = namedIn('Collections that are no read models');
  expect(OTHER_COLLECTIONS.filter(({ name }) => !named.has(name))).toEqual([]);
});
