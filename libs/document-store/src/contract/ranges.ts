import { beforeAll, expect, it } from '@jest/globals';
import type { Document, RangeQuery } from '#kernel';
import { collectionWith, findIds } from './fixtures.js';
import type { StoreUnderTest } from './store-under-test.js';

interface Case extends Document {
  readonly workspace: string;
  readonly openedAt: number;
}

const INDEXES = [
  { name: 'by_opening', fields: ['workspace', 'openedAt'] },
  { name: 'by_workspace', fields: ['workspace'] },
  { name: 'by_id', fields: [] },
];

const CASES: Case[] = [
  { id: 'e', workspace: 'w1', openedAt: 30 },
  { id: 'c', workspace: 'w1', openedAt: 20 },
  { id: 'a', workspace: 'w1', openedAt: 20 },
  { id: 'b', workspace: 'w1', openedAt: 10 },
  { id: 'd', workspace: 'w2', openedAt: 5 },
  { id: 'f', workspace: 'w2', openedAt: 100 },
];

export const rangesContract = (store: StoreUnderTest): void => {
  let collection = '';
  beforeAll(async () => {
    collection = await collectionWith(store(), CASES, INDEXES);
  });
  const opened = (bounds: object, order: 'ascending' | 'descending' = 'ascending') =>
    findIds(store(), collection, { index: 'by_opening', equals: ['w1'], order, ...bounds });

  it('orders by the fields, and equal documents by id', async () => {
    expect(await opened({})).toEqual(['b', 'a', 'c', 'e']);
    expect(await opened({}, 'descending')).toEqual(['e', 'c', 'a', 'b']);
  });

  it.each([
    [{ gt: 20 }, ['e']],
    [{ gte: 20 }, ['a', 'c', 'e']],
    [{ lt: 20 }, ['b']],
    [{ lte: 20 }, ['b', 'a', 'c']],
    [{ gt: 10, lt: 30 }, ['a', 'c']],
    [{ gte: 10, lte: 30 }, ['b', 'a', 'c', 'e']],
    [{ gt: 10, lte: 30 }, ['a', 'c', 'e']],
    [{ gte: 10, lt: 30 }, ['b', 'a', 'c']],
    [{ gt: 30 }, []],
    [{ gte: 20, lt: 20 }, []],
  ])('finds what lies within %j, in both directions', async (bounds, expected) => {
    expect(await opened(bounds)).toEqual(expected);
    expect(await opened(bounds, 'descending')).toEqual([...expected].reverse());
  });

  it('returns at most the limit, from the start of the order', async () => {
    const query = { index: 'by_opening', equals: ['w1'] };
    const ids = async (limit: number, order: 'ascending' | 'descending') =>
      findIds(store(), collection, { ...query, order, ...{ limit } });
    expect(await ids(2, 'ascending')).toEqual(['b', 'a']);
    expect(await ids(2, 'descending')).toEqual(['e', 'c']);
    expect(await ids(0, 'ascending')).toEqual([]);
  });

  it('ranges over the first field if nothing has to be equal', async () => {
    const find = (bounds: object) => findIds(store(), collection, { index: 'by_opening', ...bounds });
    expect(await find({})).toEqual(['b', 'a', 'c', 'e', 'd', 'f']);
    expect(await find({ gt: 'w1' })).toEqual(['d', 'f']);
    expect(await find({ lte: 'w1', order: 'descending' })).toEqual(['e', 'c', 'a', 'b']);
  });

  it('ranges over the ids where all fields have to be equal', async () => {
    const find = (bounds: object) => findIds(store(), collection, { index: 'by_workspace', equals: ['w1'], ...bounds });
    expect(await find({})).toEqual(['a', 'b', 'c', 'e']);
    expect(await find({ gt: 'a', lte: 'c' })).toEqual(['b', 'c']);
    expect(await find({ lt: 'c', order: 'descending' })).toEqual(['b', 'a']);
    const both = { index: 'by_opening', equals: ['w1', 20] };
    expect(await findIds(store(), collection, { ...both, gt: 'a' })).toEqual(['c']);
  });

  it('ranges over all ids along an index of no fields', async () => {
    const find = (bounds: object) => findIds(store(), collection, { index: 'by_id', ...bounds });
    expect(await find({})).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await find({ gt: 'b', lt: 'e' })).toEqual(['c', 'd']);
    expect(await find({ lte: 'c', order: 'descending' })).toEqual(['c', 'b', 'a']);
  });

  it('orders strings by code point, and numbers by value', async () => {
    const texts = ['', '10', '9', 'B', 'a', 'é', '\uff5e', '\u{1f98a}'];
    const numbers = [-(2 ** 53 - 1), -1.5, 0, 0.1, 9, 10, 2 ** 53 - 2, 2 ** 53 - 1];
    const documents = texts.map((text, n) => ({ id: `d${n}`, text, number: numbers[n] ?? 0 }));
    const things = await collectionWith(store(), documents.toReversed(), [
      { name: 'by_text', fields: ['text'] },
      { name: 'by_number', fields: ['number'] },
    ]);
    const ids = documents.map(({ id }) => id);
    expect(await findIds(store(), things, { index: 'by_text' })).toEqual(ids);
    expect(await findIds(store(), things, { index: 'by_number' })).toEqual(ids);
    expect(await findIds(store(), things, { index: 'by_number', gt: 2 ** 53 - 2 })).toEqual(['d7']);
    expect(await findIds(store(), things, { index: 'by_text', gt: '\uff5e' })).toEqual(['d7']);
  });

  it('returns the indexed fields of each document, if only these are requested', async () => {
    const entries = (query: Omit<RangeQuery, 'limit'>, limit = 100) =>
      store().findEntries(collection, { limit, ...query });
    expect(await entries({ index: 'by_opening', equals: ['w1'], gte: 20, order: 'descending' }, 2)).toEqual([
      { id: 'e', workspace: 'w1', openedAt: 30 },
      { id: 'c', workspace: 'w1', openedAt: 20 },
    ]);
    expect(await entries({ index: 'by_workspace', equals: ['w2'] })).toEqual([
      { id: 'd', workspace: 'w2' },
      { id: 'f', workspace: 'w2' },
    ]);
    expect(await entries({ index: 'by_id', gt: 'e' })).toEqual([{ id: 'f' }]);
    expect(await entries({ index: 'by_opening', equals: ['w3'] })).toEqual([]);
    expect(await entries({ index: 'by_opening' }, 0)).toEqual([]);
  });

  it('returns null for a field that a document lacks', async () => {
    const lacking = await collectionWith(store(), [{ id: 'g', workspace: 'w1' } as Document], INDEXES);
    const found = await store().findEntries(lacking, { index: 'by_opening', lt: 'w2', limit: 10 });
    expect(found).toEqual([{ id: 'g', workspace: 'w1', openedAt: null }]);
  });

  it('follows a document that moves in an index', async () => {
    const moving = await collectionWith(store(), CASES, INDEXES);
    await store().write([{ collection: moving, put: [{ id: 'b', workspace: 'w2', openedAt: 50 } as Case] }]);
    expect(await findIds(store(), moving, { index: 'by_opening', equals: ['w1'] })).toEqual(['a', 'c', 'e']);
    expect(await findIds(store(), moving, { index: 'by_opening', equals: ['w2'] })).toEqual(['d', 'b', 'f']);
  });

  it('refuses an index that the collection does not have, and more values than the index has fields', async () => {
    await expect(findIds(store(), collection, { index: 'by_mood' })).rejects.toThrow('by_mood');
    await expect(store().findEntries(collection, { index: 'by_mood', limit: 1 })).rejects.toThrow('by_mood');
    const tooMany = { index: 'by_workspace', equals: ['w1', 1] };
    await expect(findIds(store(), collection, tooMany)).rejects.toThrow(TypeError);
  });
};
