import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LIVE_COLLECTIONS } from '../../projections/src/stored-live-collections.js';
import { DOCUMENT_FIELDS } from './document-fields.fixtures.js';
import { ALL_PROJECTIONS, OTHER_COLLECTIONS, TASK_KINDS } from './index.js';

const text = readFileSync(new URL('../../../docs/read-models.md', import.meta.url), 'utf8');

const OTHERS = 'Collections that are not read models';

const sectionOf = (heading: string): string =>
  text.split(/^##+ /m).find((candidate) => candidate.startsWith(`${heading}\n`)) ?? '';

const inBackticks = (part: string): string[] => [...part.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);

/** The names between backticks in the section with that heading. */
const namedIn = (heading: string): ReadonlySet<string> => new Set(inBackticks(sectionOf(heading)));

/** The cells of the section's first table. */
const rowsOf = (heading: string): string[][] => {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(sectionOf(heading)) ?? [];
  return table
    .split('\n')
    .slice(2, -1)
    .map((row) => row.slice(2, -2).split(' | '));
};

/** Each field of the collection that the page has, with what the page says of it and of those that it groups it with. */
const documentedIn = (collection: string): ReadonlyMap<string, string> => {
  const ofReadModel = rowsOf(collection).flatMap((row) =>
    inBackticks(row[0] ?? '').map((field) => [field, row.join(' ')] as const),
  );
  const [, , fields = ''] = rowsOf(OTHERS).find(([name]) => name === `\`${collection}\``) ?? [];
  return new Map([...ofReadModel, ...inBackticks(fields).map((field) => [field, fields] as const)]);
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

it('docs/read-models.md has each kind of task', () => {
  const named = namedIn('due_work');
  expect(TASK_KINDS.filter((kind) => !named.has(kind))).toEqual([]);
});

it('docs/read-models.md has each collection that no projection writes', () => {
  const named = namedIn(OTHERS);
  expect(OTHER_COLLECTIONS.filter(({ name }) => !named.has(name))).toEqual([]);
});

describe.each(Object.entries(DOCUMENT_FIELDS))('docs/read-models.md has of %s', (collection, paths) => {
  const documented = documentedIn(collection);

  it('each field, and the members of each field in its row', () => {
    const isMissing = (path: string) => {
      const [field = '', ...members] = path.split('.');
      const named = new Set(inBackticks(documented.get(field) ?? ''));
      return ![field, ...members].every((one) => named.has(one));
    };
    expect(paths.filter(isMissing)).toEqual([]);
  });

  it('no field that the documents do not have', () => {
    const names = new Set(paths.flatMap((path) => path.split('.')));
    expect([...documented.keys()].filter((field) => !names.has(field))).toEqual([]);
  });
});

it('each collection has its fields here', () => {
  const collections = [...ALL_PROJECTIONS, ...OTHER_COLLECTIONS, LIVE_COLLECTIONS].map(({ name }) => name);
  expect(Object.keys(DOCUMENT_FIELDS).toSorted()).toEqual(collections.toSorted());
});
