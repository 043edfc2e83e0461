import { constants, DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from '@jest/globals';
import { events } from '../contract/given-events.js';
import { Reader } from './reader.js';
import { temporaryLog } from './testing/temporary-log.js';

const temporary = await temporaryLog();
afterEach(() => temporary.close());

it('plans its statements once, whatever is asked for', async () => {
  const log = temporary.open();
  for (let revision = -1; revision < 4; revision++) {
    await log.append('thing-1', revision === -1 ? 'none' : revision, events(1));
  }
  const db = new DatabaseSync(temporary.file, { readOnly: true });
  let planned = 0;
  // Asked whenever a statement is planned, and not when it runs.
  db.setAuthorizer(() => {
    planned++;
    return constants.SQLITE_OK;
  });
  const reader = new Reader(db);
  const readAll = (limit: number) => {
    const [event] = reader.stream('thing-1', { from: 1, limit });
    const types = new Set([event?.type ?? '']);
    const found = [
      reader.stream('thing-1', { from: 5 - limit, limit }),
      reader.stream('thing-1', { direction: 'backwards', limit }),
      reader.log({ after: limit, limit }).page.events,
      reader.log({ after: limit, limit, types }).page.events,
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
