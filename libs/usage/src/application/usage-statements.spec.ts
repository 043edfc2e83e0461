import { beforeEach, expect, it } from '@jest/globals';
import { agencyId, CommandRunner, DAY, HOUR, MINUTE, SECOND } from '#kernel';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { contextOf } from '../../../testing/src/tested-context.js';
import { USAGE_STATEMENT_PARTS, UsageStatements } from './usage-statements.js';

const lumen = agencyId('ag_lumen');
const other = agencyId('ag_other');
const MONTH = '2026-10';
/** More than one part. */
const LONG = 'x'.repeat(600_000);

let clock: FakeClock;
let log: InMemoryEventLog;
let documents: InMemoryDocumentStore;
let statements: UsageStatements;

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 10, 26));
  log = new InMemoryEventLog();
  documents = new InMemoryDocumentStore();
  await documents.ensure([USAGE_STATEMENT_PARTS]);
  statements = new UsageStatements(new CommandRunner(log, clock), documents, clock);
});

const request = (month = MONTH, agency = lumen) => statements.request(agency, month, contextOf());
const pending = async (agency = lumen) => {
  const statement = await statements.pending(agency);
  if (statement === undefined) throw new Error('none is pending');
  return statement;
};
const make = async (text: string) => statements.complete(lumen, await pending(), text, contextOf());
const fail = async (agency = lumen) => statements.fail(agency, await pending(agency), contextOf());
const textOf = async (month = MONTH) => {
  const statement = await statements.find(lumen, month);
  return statement && (await Array.fromAsync(statements.text(statement))).join('');
};
const parts = () => documents.count('usage_statement_parts');

it('can still be fetched while it is made again, and when that fails', async () => {
  await request();
  await make('first');
  clock.advance(HOUR);
  await request();
  expect(await statements.find(lumen, MONTH)).toMatchObject({ state: 'pending', bytes: 5 });
  expect(await textOf()).toBe('first');
  await fail();
  expect(await statements.find(lumen, MONTH)).toMatchObject({ state: 'failed', expiresAt: clock.now() + 23 * HOUR });
  expect(await textOf()).toBe('first');
  await request();
  await make('second');
  expect([await textOf(), await parts()]).toEqual(['second', 1]);
});

it('can be fetched for 24 hours, also while it is made again', async () => {
  await request();
  await make('first');
  clock.advance(DAY - 1);
  await request();
  expect(await textOf()).toBe('first');
  clock.advance(1);
  expect(await statements.find(lumen, MONTH)).toMatchObject({ state: 'pending', bytes: 0, expiresAt: null });
  expect(await textOf()).toBe('');
  await fail();
  expect(await statements.ofAgency(lumen)).toMatchObject([{ state: 'failed', bytes: 0, expiresAt: clock.now() + DAY }]);
});

it('is not made again within ten minutes', async () => {
  await request();
  await make('first');
  clock.advance(10 * MINUTE - SECOND);
  await expect(request()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
  expect(await request('2026-09')).toMatchObject({ state: 'pending' });
  await fail();
  clock.advance(SECOND);
  expect(await request()).toMatchObject({ state: 'pending' });
});

it('D110: is made at most twelve times within an hour that begins in the middle of one', async () => {
  clock.advance(50 * MINUTE);
  for (let year = 1_001; year <= 1_012; year++) {
    await request(`${year}-01`);
    await make('text');
    clock.advance(MINUTE);
  }
  await expect(request()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 48 * 60 });
  expect(await request(MONTH, other)).toMatchObject({ state: 'pending' });
  clock.advance(48 * MINUTE);
  expect(await request()).toMatchObject({ state: 'pending' });
});

it('D110: is asked for at most twelve times in an hour, also if it fails each time', async () => {
  for (let failed = 0; failed < 12; failed++) {
    await request();
    await fail();
  }
  await expect(request()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_600 });
  expect(await statements.pending(lumen)).toBeUndefined();
  clock.advance(HOUR);
  expect(await request()).toMatchObject({ state: 'pending' });
});

it('D110: is counted although it was made again since', async () => {
  for (let asked = 0; asked < 4; asked++) {
    await request();
    await make(`text ${asked}`);
    for (const month of ['2026-08', '2026-09']) {
      await request(month);
      await fail();
    }
    clock.advance(11 * MINUTE);
  }
  await expect(request('2026-07')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 16 * 60 });
  expect([await textOf(), await parts()]).toEqual(['text 3', 1]);
});

it('D110: that is pending answers repeats without counting them', async () => {
  for (let asked = 0; asked < 20; asked++) expect(await request()).toMatchObject({ state: 'pending' });
  await expect(request('2026-09')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 10 });
  await fail();
  expect(await request()).toMatchObject({ state: 'pending' });
});

it('D111: that was made while the clock was ahead blocks no other, and is not shown', async () => {
  clock.advance(10 * HOUR);
  for (let month = 1; month <= 12; month++) {
    await request(`2026-${month}`);
    await make('text');
  }
  clock.advance(-10 * HOUR);
  expect(await statements.ofAgency(lumen)).toEqual([]);
  expect(await request('2026-12')).toMatchObject({ state: 'pending', bytes: 0 });
});

it('of parallel requests for several months one is pending', async () => {
  const months = Array.from({ length: 12 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}`);
  const asked = await Promise.allSettled(months.map((month) => request(month)));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'rate_limited' } });
  expect((await statements.ofAgency(lumen)).map(({ state }) => state)).toEqual(['pending']);
  await make('text');
  expect(await request('2025-12')).toMatchObject({ state: 'pending' });
});

it('asked for again several times together, it is one request', async () => {
  await Promise.all([1, 2, 3].map(() => request()));
  expect(await log.readStream(`usageStatement-${lumen}`)).toHaveLength(1);
});

it('shows how much of the log has been read', async () => {
  await request();
  await statements.noteShare(await pending(), 0.5);
  expect(await statements.ofAgency(lumen)).toMatchObject([{ state: 'pending', share: 0.5 }]);
  await fail();
  await request();
  expect(await statements.ofAgency(lumen)).toMatchObject([{ state: 'pending', share: 0 }]);
});

it('made by a second process too, it keeps the text of the first, and nothing of the other', async () => {
  await request();
  const statement = await pending();
  await statements.complete(lumen, statement, 'first', contextOf());
  await statements.complete(lumen, statement, LONG, contextOf());
  expect([await textOf(), await parts()]).toEqual(['first', 1]);
});

it('what a process has left when it was killed is removed later', async () => {
  await request();
  const write = documents.write.bind(documents);
  let writes = 0;
  documents.write = async (...given) => {
    if (++writes > 2) throw new Error('killed');
    return write(...given);
  };
  await expect(make(LONG)).rejects.toThrow('killed');
  documents.write = write;
  expect(await parts()).toBe(2);
  clock.advance(DAY + HOUR);
  await request();
  expect(await parts()).toBe(0);
});
