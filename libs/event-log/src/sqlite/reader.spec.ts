import { constants, DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from '@jest/globals';
import { type LogPage, newEventId } from '#kernel';
import { events } from '../contract/given-events.js';
import { Reader } from './reader.js';
import { temporaryLog } from './testing/temporary-log.js';

const temporary = await temporaryLog();
afterEach(() => temporary.close());

it('plans its statements once, for all arguments', async () => {
  const log = temporary.open();
  for (let revision = -1; revision < 4; revision++) {
    await log.append('thing-1', revision === -1 ? 'none' : revision, events(1));
  }
  const db = new DatabaseSync(temporary.file, { readOnly: true });
  let planned = 0;
  // SQLite calls the authorizer when it plans a statement, not when it runs it.
  db.setAuthorizer(() => {
    planned++;
    return constants.SQLITE_OK;
  });
  const reader = new Reader(db);
  const readAll = (limit: number) => {
    const [event] = reader.stream('thing-1', { from: 1, limit }).events;
    const types = new Set([event?.type ?? '']);
    const found = [
      reader.stream('thing-1', { from: 5 - limit, limit }).events,
      reader.stream('thing-1', { direction: 'backwards', limit }).events,
      reader.log({ after: limit, limit }).events,
      reader.log({ after: limit, limit, types }).events,
    ];
    expect(found.map(({ length }) => length)).toEqual([limit, limit, Math.min(limit, 5 - limit), expect.any(Number)]);
  };
  readAll(1);
  const before = planned;
  expect(before).toBeGreaterThan(0);
  for (const limit of [2, 3]) readAll(limit);
  expect(planned).toBe(before);
  db.close();
});

it.each([
  ['all events', undefined],
  ['events of a type', new Set([events(1)[0]?.type ?? ''])],
])('ends a page of the largest of %s early, and continues after it', async (_which, types) => {
  const log = temporary.open();
  // The first page does not begin with a large event.
  await log.append('thing-1', 'none', events(40));
  const [large] = events(1);
  if (large === undefined) throw new Error('no event');
  for (let revision = 39; revision < 139; revision++) {
    const event = { ...large, id: newEventId(), data: { text: 'x'.repeat(400_000) } };
    await log.append('thing-1', revision, [event]);
  }
  const pages: LogPage[] = [];
  for (let after = 0; pages.at(-1)?.atEnd !== true; after = pages.at(-1)?.reached ?? 0) {
    pages.push(await log.readLog({ after, ...(types && { types }) }));
  }
  const bytes = pages.map((page) => Buffer.byteLength(JSON.stringify(page.events)));
  expect(Math.max(...bytes)).toBeLessThan(4 * 1024 ** 2 + 16 * 410_000);
  expect(pages.flatMap((page) => page.events.map(({ revision }) => revision))).toEqual(
    Array.from({ length: 140 }, (_, revision) => revision),
  );
});
