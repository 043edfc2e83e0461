import { copyFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, it, jest } from '@jest/globals';
import { type Document, StoreUnavailable } from '#kernel';
import { eventually } from '#testing';
import { openSqliteDocumentStore } from './open.js';
import { temporaryFiles } from './testing/temporary-files.js';

const things = { name: 'things', indexes: [{ name: 'by_kind', fields: ['kind'] }] };
const thing = (id: string, kind: string): Document => ({ id, kind }) as Document;

describe('the file of the embedded document store', () => {
  const temporaryFile = temporaryFiles();

  it('has everything when it is opened again', async () => {
    const file = temporaryFile();
    const before = openSqliteDocumentStore({ file });
    await before.ensure([things]);
    const checkpoint = { name: 'runner', position: 12, fence: 3 };
    await before.write([{ collection: 'things', put: [thing('a', 'x')] }], checkpoint);
    const lease = await before.acquireLease('lease', 'holder', 1, 1_000);
    await before.acquireLease('released', 'holder', 1, 1_000);
    await before.releaseLease('released', 'holder');
    await before.increment('counter', 41, 5_000);
    await before.close();

    const after = openSqliteDocumentStore({ file });
    // No `ensure`: the file itself knows its collections.
    expect(await after.find('things', { index: 'by_kind', equals: ['x'], limit: 5 })).toEqual([thing('a', 'x')]);
    expect(await after.checkpoint('runner')).toEqual(checkpoint);
    expect(await after.lease(lease?.name ?? '')).toEqual(lease);
    expect((await after.acquireLease('released', 'holder', 2, 3))?.fence).toBe(2);
    expect(await after.increment('counter', 1, 5_000)).toBe(42);
    await after.close();
  });

  it('goes on from the checkpoint of an earlier version of the program, before and after that has run again', async () => {
    const file = temporaryFile();
    const store = openSqliteDocumentStore({ file });
    const earlier = new DatabaseSync(file);
    const moved = (position: number, fence: number) =>
      earlier.exec(`INSERT INTO "_checkpoints" VALUES ('runner', ${position}, ${fence}) ON CONFLICT ("name")
        DO UPDATE SET "position" = excluded."position", "fence" = excluded."fence" WHERE excluded."fence" >= "fence"`);
    moved(7, 1);
    expect(await store.checkpoint('runner')).toStrictEqual({ name: 'runner', position: 7, fence: 1 });
    const event = { id: 'e', stream: 'thing-1', revision: 0, position: 9 } as const;
    await store.write([], { name: 'runner', position: 9, fence: 2, event });
    await store.write([], { name: 'runner', position: 10, fence: 2, event });
    moved(12, 3);
    expect(await store.checkpoint('runner')).toStrictEqual({ name: 'runner', position: 12, fence: 3 });
    await store.write([], { name: 'runner', position: 13, fence: 4, event });
    expect(await store.checkpoint('runner')).toEqual({ name: 'runner', position: 13, fence: 4, event });
    earlier.close();
    await store.close();
  });

  it('counts requests while another process writes documents', async () => {
    const file = temporaryFile();
    const store = openSqliteDocumentStore({ file });
    const another = new DatabaseSync(file);
    another.exec('BEGIN IMMEDIATE');
    expect(await store.increment('counter', 1, 5_000)).toBe(1);
    expect(await store.sweepCounters(5_001)).toBe(1);
    another.exec('ROLLBACK');
    another.close();
    await store.close();
  });

  it('waits for its turn to count without blocking others, and includes counts made while it waited', async () => {
    const file = temporaryFile();
    const store = openSqliteDocumentStore({ file });
    await store.increment('over', 1, 1_000);
    expect(await store.increment('counter', 1, 5_000)).toBe(1);
    const another = new DatabaseSync(`${file}-counters`);
    another.exec('BEGIN IMMEDIATE');
    const ran = jest.spyOn(StatementSync.prototype, 'run');
    const waiting = ['counter', 'counter', 'other'].map((counter) => store.increment(counter, 1, 5_000));
    const swept = store.sweepCounters(1_001);
    // If this thread stood still, the other's turn would not end before its tries do.
    await eventually(() => ran.mock.results.filter(({ type }) => type === 'throw').length >= 5);
    ran.mockRestore();
    const later = store.increment('counter', 1, 5_000);
    const closed = store.close();
    another.exec('COMMIT');
    another.close();
    expect(await Promise.all([...waiting, later])).toEqual([2, 3, 1, 4]);
    expect(await swept).toBe(1);
    await closed;
  });

  it('keeps what was written when the process ends without closing it', async () => {
    const file = temporaryFile();
    const copy = temporaryFile();
    const store = openSqliteDocumentStore({ file });
    await store.ensure([things]);
    await store.write([{ collection: 'things', put: [thing('a', 'x')] }]);
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
    const recovered = openSqliteDocumentStore({ file: copy });
    expect(await recovered.get('things', 'a')).toEqual(thing('a', 'x'));
    await Promise.all([store.close(), recovered.close()]);
  });

  it('is written by several handles, each of which fills the indexes that another has added', async () => {
    const file = temporaryFile();
    const [one, other] = [openSqliteDocumentStore({ file }), openSqliteDocumentStore({ file })];
    await one.ensure([{ name: 'things', indexes: [] }]);
    await one.write([{ collection: 'things', put: [thing('a', 'x')] }]);
    await other.ensure([things]);
    await one.write([{ collection: 'things', put: [thing('b', 'x')] }]);
    const query = { index: 'by_kind', equals: ['x'], limit: 5 };
    const expected = [thing('a', 'x'), thing('b', 'x')];
    expect(await other.find('things', query)).toEqual(expected);
    expect(await one.find('things', query)).toEqual(expected);
    await other.drop('things');
    await other.ensure([{ name: 'things', indexes: [{ name: 'by_kind', fields: ['size', 'kind'] }] }]);
    await one.write([{ collection: 'things', put: [Object.assign(thing('c', 'y'), { size: 1 })] }]);
    expect(await one.find('things', { index: 'by_kind', equals: [1, 'y'], limit: 5 })).toHaveLength(1);
    await Promise.all([one.close(), other.close()]);
  });

  it('is read while another writes', async () => {
    const file = temporaryFile();
    const store = openSqliteDocumentStore({ file });
    await store.ensure([things]);
    await store.write([{ collection: 'things', put: [thing('a', 'old')] }]);
    const writer = new DatabaseSync(file);
    writer.exec(`BEGIN IMMEDIATE; UPDATE "things" SET "_document" = '{"id":"a","kind":"new"}'`);
    expect(await store.get('things', 'a')).toEqual(thing('a', 'old'));
    writer.exec('COMMIT');
    expect(await store.get('things', 'a')).toEqual(thing('a', 'new'));
    writer.close();
    await store.close();
  });

  it('lets one write of a turn fail without the others', async () => {
    const store = openSqliteDocumentStore({ file: temporaryFile() });
    await store.ensure([things, { name: 'dropped', indexes: [] }]);
    const outcomes = await Promise.allSettled([
      store.increment('counter', 1, 1_000),
      store.write([{ collection: 'things', put: [thing('a', 'x')] }]),
      store.drop('dropped'),
      store.write(['things', 'dropped'].map((collection) => ({ collection, put: [thing('b', 'y')] }))),
      store.write([{ collection: 'things', put: [thing('d', 'z')] }]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await store.getMany('things', ['a', 'b', 'd'])).toEqual([thing('a', 'x'), thing('d', 'z')]);
    await store.close();
  });

  it('is unavailable after it is closed, and commits earlier requests first', async () => {
    const file = temporaryFile();
    const store = openSqliteDocumentStore({ file });
    const counted = store.increment('counter', 1, 1_000);
    await store.close();
    await store.close();
    expect(await counted).toBe(1);
    await expect(store.checkpoint('runner')).rejects.toThrow(StoreUnavailable);
    await expect(store.increment('counter', 1, 1_000)).rejects.toThrow(StoreUnavailable);
    await expect(store.ensure([things])).rejects.toThrow(StoreUnavailable);
  });
});
