import { beforeEach, expect, it, jest } from '@jest/globals';
import { agencyId, DAY, HOUR, MINUTE, SECOND } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { UsageStatements } from './usage-statements.js';

const lumen = agencyId('ag_lumen');
const MONTH = '2026-10';
const BY = 'user:mia';
/** More than one part. */
const LONG = 'x'.repeat(600_000);

let now: number;
let documents: InMemoryDocumentStore;
let statements: UsageStatements;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 26);
  documents = new InMemoryDocumentStore();
  statements = new UsageStatements(documents, { now: () => now, elapsed: () => now });
  await statements.ensure();
});

const request = (month = MONTH) => statements.request(lumen, month, BY);
const pending = async () => {
  const statement = await statements.nextPending();
  if (statement === undefined) throw new Error('none is pending');
  return statement;
};
const make = async (text: string) => statements.complete(await pending(), text);
const textOf = async (month = MONTH) => {
  const statement = await statements.find(lumen, month);
  return statement && (await Array.fromAsync(statements.text(statement))).join('');
};
const parts = () => documents.count('usage_statement_parts');

it('can still be fetched while it is made again, and when that fails', async () => {
  await request();
  await make('first');
  now += HOUR;
  await request();
  expect(await statements.find(lumen, MONTH)).toMatchObject({ state: 'pending', bytes: 5 });
  expect(await textOf()).toBe('first');
  await statements.fail(await pending());
  expect(await statements.find(lumen, MONTH)).toMatchObject({ state: 'failed', expiresAt: now + 23 * HOUR });
  expect(await textOf()).toBe('first');
  await request();
  await make('second');
  expect([await textOf(), await parts()]).toEqual(['second', 1]);
});

it('can be fetched for 24 hours, also while it is made again', async () => {
  await request();
  await make('first');
  now += DAY - 1;
  await request();
  expect(await textOf()).toBe('first');
  now += 1;
  expect(await statements.find(lumen, MONTH)).toMatchObject({ state: 'pending', bytes: 0, expiresAt: null });
  expect(await textOf()).toBe('');
  await statements.fail(await pending());
  expect(await statements.ofAgency(lumen)).toMatchObject([{ state: 'failed', bytes: 0, expiresAt: now + DAY }]);
});

it('is not made again within ten minutes', async () => {
  await request();
  await make('first');
  now += 10 * MINUTE - SECOND;
  await expect(request()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
  expect(await request('2026-09')).toMatchObject({ state: 'pending' });
  await statements.fail(await pending());
  now += SECOND;
  expect(await request()).toMatchObject({ state: 'pending' });
});

it('D110: is made at most twelve times within an hour that begins in the middle of one', async () => {
  now += 50 * MINUTE;
  const make = async (month: string) => {
    await request(month);
    await statements.complete(await pending(), 'text');
    now += MINUTE;
  };
  for (let year = 1_001; year <= 1_012; year++) await make(`${year}-01`);
  await expect(request()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 48 * 60 });
  expect(await statements.request(agencyId('ag_other'), MONTH, BY)).toMatchObject({ state: 'pending' });
  await statements.fail(await pending());
  now += 48 * MINUTE;
  expect(await request()).toMatchObject({ state: 'pending' });
});

it('D110: is asked for at most twelve times in an hour, also if it fails each time', async () => {
  for (let failed = 0; failed < 12; failed++) {
    await request();
    await statements.fail(await pending());
  }
  await expect(request()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_600 });
  expect(await statements.nextPending()).toBeUndefined();
  now += HOUR;
  expect(await request()).toMatchObject({ state: 'pending' });
});

it('D110: is counted although it was made again since', async () => {
  for (let asked = 0; asked < 4; asked++) {
    await request();
    await make(`text ${asked}`);
    for (const month of ['2026-08', '2026-09']) {
      await request(month);
      await statements.fail(await pending());
    }
    now += 11 * MINUTE;
  }
  await expect(request('2026-07')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 16 * 60 });
  expect([await textOf(), await parts()]).toEqual(['text 3', 1]);
});

it('D110: that is pending answers repeats without counting them', async () => {
  for (let asked = 0; asked < 20; asked++) expect(await request()).toMatchObject({ state: 'pending' });
  await expect(request('2026-09')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 10 });
  await statements.fail(await pending());
  expect(await request()).toMatchObject({ state: 'pending' });
});

it('D110: that was acknowledged is not removed by the sweep of another request', async () => {
  await request();
  await statements.fail(await pending());
  now += DAY;
  const find = documents.find.bind(documents);
  const found = Promise.withResolvers<void>();
  const acknowledged = Promise.withResolvers<void>();
  jest.spyOn(documents, 'find').mockImplementationOnce(async (...asked) => {
    const expired = await find(...asked);
    found.resolve();
    await acknowledged.promise;
    return expired as never;
  });
  const sweeping = statements.request(agencyId('ag_other'), MONTH, BY);
  await found.promise;
  await request();
  acknowledged.resolve();
  await sweeping;
  expect(await statements.find(lumen, MONTH)).toMatchObject({ state: 'pending' });
});

it('D111: that was made while the clock was ahead blocks no other, and is not shown', async () => {
  now += 10 * HOUR;
  for (let month = 1; month <= 12; month++) {
    await request(`2026-${month}`);
    await make('text');
  }
  now -= 10 * HOUR;
  expect(await statements.ofAgency(lumen)).toEqual([]);
  expect(await request('2026-12')).toMatchObject({ state: 'pending', bytes: 0 });
});

it('of parallel requests for several months one is pending', async () => {
  const months = Array.from({ length: 12 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}`);
  const asked = await Promise.allSettled(months.map(request));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'rate_limited' } });
  expect((await statements.ofAgency(lumen)).map(({ state }) => state)).toEqual(['pending']);
  await make('text');
  expect(await request('2025-12')).toMatchObject({ state: 'pending' });
});

it('asked for again several times together, it is one request', async () => {
  await request();
  await make('first');
  now += HOUR;
  const ticking = new UsageStatements(documents, { now: () => now++, elapsed: () => now });
  const asked = await Promise.all([1, 2, 3].map(() => ticking.request(lumen, MONTH, BY)));
  expect(new Set(asked.map(({ requestedAt }) => requestedAt)).size).toBe(1);
});

it('made by a second process too, it keeps the text of the first, and nothing of the other', async () => {
  await request();
  const statement = await pending();
  await statements.complete(statement, 'first');
  await statements.complete(statement, LONG);
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
  now += DAY + HOUR;
  await request();
  expect(await parts()).toBe(0);
});
