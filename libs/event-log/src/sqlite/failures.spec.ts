import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable } from '#kernel';
import { event, events, ids } from '../contract/given-events.js';
import { openSqliteEventLog } from './open.js';
import { openSqliteStoredLog } from './stored-log.js';
import { temporaryLog } from './testing/temporary-log.js';

let temporary: Awaited<ReturnType<typeof temporaryLog>>;
let intruder: DatabaseSync;

beforeEach(async () => {
  temporary = await temporaryLog();
});

afterEach(async () => {
  if (intruder?.isOpen) intruder.close();
  await temporary.close();
});

/** A second connection, like that of another process. */
function intrude(sql: string): void {
  if (!intruder?.isOpen) intruder = new DatabaseSync(temporary.file);
  intruder.exec(sql);
}

test('waits for a writer that holds the database, without blocking the event loop', async () => {
  const log = temporary.open();
  intrude('BEGIN IMMEDIATE');
  const appending = log.append('thing-1', 'none', events(2));
  // Reads are served during this time, which shows that nothing blocks.
  for (let n = 0; n < 20; n++) expect((await log.readLog({ after: 0 })).events).toEqual([]);
  intrude('COMMIT');
  expect((await appending).revision).toBe(1);
});

test('gives up on a database that stays busy, with nothing written', async () => {
  const log = temporary.open({ busyFor: 30 });
  intrude('BEGIN IMMEDIATE');
  const refused = log.append('thing-1', 'none', events(1));
  await expect(refused).rejects.toBeInstanceOf(StoreUnavailable);
  await expect(refused).rejects.toMatchObject({ cause: { code: 'ERR_SQLITE_ERROR' } });
  intrude('COMMIT');
  expect(await log.readStream('thing-1')).toEqual([]);
});

test('a failing group fails each of its appends, and the next one goes through', async () => {
  const log = temporary.open();
  await log.append('thing-0', 'none', events(1));
  intrude('ALTER TABLE events RENAME TO elsewhere');
  const verdicts = await Promise.allSettled([1, 2, 3].map((n) => log.append(`thing-${n}`, 'none', events(1))));
  for (const verdict of verdicts) {
    expect(verdict).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable', cause: {} } });
  }
  await expect(log.readStream('thing-0')).rejects.toBeInstanceOf(StoreUnavailable);
  intrude('ALTER TABLE elsewhere RENAME TO events');
  expect((await log.append('thing-1', 'none', [event({}, 'thing.other.v1')])).revision).toBe(0);
});

test('the kinds and streams of a rolled back group do not count as stored', async () => {
  const log = temporary.open();
  await log.append('thing-0', 'none', [event({}, 'first.v1')]);
  // Fails the group at its second append, after the first has made a stream and a kind.
  intrude(`CREATE TRIGGER full BEFORE INSERT ON events WHEN new.revision = 1 BEGIN SELECT raise(ABORT, 'full'); END`);
  const verdicts = await Promise.allSettled([
    log.append('thing-1', 'none', [event({}, 'second.v1')]),
    log.append('thing-0', 0, [event({}, 'first.v1')]),
  ]);
  expect(verdicts.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  intrude('DROP TRIGGER full');

  const other = temporary.open();
  const [third] = [event({}, 'third.v1')];
  await other.append('thing-3', 'none', [third]);
  const second = event({}, 'second.v1');
  await log.append('thing-1', 'none', [second]);
  expect(ids((await log.readLog({ after: 0, types: new Set(['third.v1']) })).events)).toEqual([third.id]);
  expect(ids((await log.readLog({ after: 0, types: new Set(['second.v1']) })).events)).toEqual([second.id]);
  expect(ids(await other.readStream('thing-1'))).toEqual([second.id]);
});

test('a follower of a broken log gets the error', async () => {
  const log = temporary.open();
  const { signal } = new AbortController();
  const coming = log.follow({ after: 0, signal })[Symbol.asyncIterator]().next();
  const rejected = expect(coming).rejects.toBeInstanceOf(StoreUnavailable);
  intrude('ALTER TABLE events RENAME TO elsewhere');
  await rejected;
});

test('a file that is no event log is refused', () => {
  intrude('PRAGMA user_version = 99');
  expect(() => openSqliteEventLog({ file: temporary.file })).toThrow(StoreUnavailable);
  expect(() => openSqliteEventLog({ file: temporary.directory })).toThrow(StoreUnavailable);
});

test('the failures of a file name it, when it is opened, read or written', async () => {
  const garbage = `${temporary.file}-garbage`;
  await writeFile(garbage, 'no database '.repeat(1_000));
  for (const open of [() => openSqliteEventLog({ file: garbage }), () => openSqliteStoredLog(garbage)]) {
    expect(open).toThrow(`${garbage}: file is not a database`);
  }
  const log = temporary.open();
  await log.append('thing-0', 'none', events(1));
  intrude('ALTER TABLE events RENAME TO elsewhere');
  await expect(log.readStream('thing-0')).rejects.toThrow(`${temporary.file}: no such table`);
  await expect(log.append('thing-1', 'none', events(1))).rejects.toThrow(`${temporary.file}: no such table`);
  intrude('ALTER TABLE elsewhere RENAME TO events');
});
