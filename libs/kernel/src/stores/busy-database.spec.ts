import { expect, test } from '@jest/globals';
import { DatabaseBusy, isBusy, retryWhileBusy, retryWhileBusySync } from './busy-database.js';

const sqliteError = (errcode: number) => Object.assign(new Error('of SQLite'), { errcode });

/** Work that fails a few times, and then returns how often it was tried. */
const failing = (times: number, error: Error) => {
  let tries = 0;
  return () => {
    if (++tries <= times) throw error;
    return tries;
  };
};

test.each([
  ['another connection writes', sqliteError(5), true],
  ['a snapshot is too old to write, an extended code of busy', sqliteError(517), true],
  ['a table is locked', sqliteError(6), true],
  ['a checkpoint says so', new DatabaseBusy(), true],
  ['the disk is full', sqliteError(13), false],
  ['an error of something different', new Error('busy'), false],
])('busy or not: %s', (_, error, expected) => {
  expect(isBusy(error)).toBe(expected);
});

test('work is repeated while the database is busy', async () => {
  expect(await retryWhileBusy(failing(2, sqliteError(5)), 60_000)).toBe(3);
  expect(retryWhileBusySync(failing(2, sqliteError(5)), 60_000)).toBe(3);
});

test('any other error ends it', async () => {
  const full = sqliteError(13);
  await expect(retryWhileBusy(failing(1, full), 60_000)).rejects.toBe(full);
  expect(() => retryWhileBusySync(failing(1, full), 60_000)).toThrow(full);
});

test('a database that stays busy is given up, with its error', async () => {
  const busy = sqliteError(5);
  await expect(retryWhileBusy(failing(Number.POSITIVE_INFINITY, busy), 20)).rejects.toBe(busy);
  expect(() => retryWhileBusySync(failing(Number.POSITIVE_INFINITY, busy), 20)).toThrow(busy);
});
