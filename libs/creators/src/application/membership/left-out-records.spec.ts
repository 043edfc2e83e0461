import { beforeEach, expect, it } from '@jest/globals';
import { agencyId, DAY, derivedId, MINUTE } from '#kernel';
import type { FakeClock } from '#testing';
import { type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import { mia, miaUser } from '../../domain/creator.fixtures.js';
import { eve, zoe, zoeUser } from '../../domain/enrollment/roster.fixtures.js';
import { LeftOutRecords, ListLeftOut, rosterOf } from './left-out-records.js';

const lumen = agencyId('ag_lumen');
const leaksOf = (creatorId: typeof mia) => ({ agencyId: lumen, creatorId, kind: 'leak' }) as const;
const bad = { id: 'leak-1', reason: 'url is not a text of 1 to 2048 characters' };

let service: TestedContext;
let clock: FakeClock;
let leftOut: LeftOutRecords;

beforeEach(async () => {
  service = await testedContext([CreatorsModule]);
  clock = service.clock;
  leftOut = service.get(LeftOutRecords);
});

const list = (creatorId?: typeof mia) => service.queries.execute(new ListLeftOut(lumen, creatorId));

it('shows what the latest walks left out, of an agency and of one creator', async () => {
  await leftOut.walked({ agencyId: lumen, creatorId: null, kind: 'creator' }, [{ id: null, reason: 'x' }], clock.now());
  await leftOut.walked(leaksOf(mia), [bad], clock.now());
  await leftOut.walked(leaksOf(zoe), [], clock.now());
  expect((await list()).records.map(({ kind, creatorId, id }) => [kind, creatorId, id])).toEqual([
    ['creator', null, null],
    ['leak', mia, 'leak-1'],
  ]);
  expect(await list(mia)).toEqual({
    count: 1,
    records: [{ kind: 'leak', creatorId: mia, ...bad, since: clock.now() }],
  });
});

it('keeps since when a record is left out, for the same reason', async () => {
  const since = clock.now();
  await leftOut.walked(leaksOf(mia), [bad], since);
  clock.advance(MINUTE);
  await leftOut.walked(leaksOf(mia), [bad, { ...bad, reason: 'status is not a string' }], clock.now());
  expect((await list()).records.map((record) => record.since)).toEqual([clock.now(), since]);
});

it('forgets what a later walk reads, and what concerns an erased creator', async () => {
  for (const creatorId of [mia, zoe]) await leftOut.walked(leaksOf(creatorId), [bad], clock.now());
  await leftOut.walked(leaksOf(mia), [], clock.now());
  expect((await list()).records.map(({ creatorId }) => creatorId)).toEqual([zoe]);
  await leftOut.forgetCreator({ creatorId: zoe, agencyId: lumen, userId: zoeUser });
  expect(await list()).toEqual({ count: 0, records: [] });
});

it('forgets that the record of an erased user was left out of the roster, and no other one', async () => {
  const others = [
    { id: miaUser, reason: 'x' },
    { id: null, reason: 'x' },
  ];
  await leftOut.walked(rosterOf(lumen), [{ id: zoeUser, reason: 'x' }, ...others], clock.now());
  await leftOut.forgetCreator({ creatorId: zoe, agencyId: lumen, userId: zoeUser });
  expect(await list()).toMatchObject({ count: 2, records: others });
  await leftOut.forgetCreator({ creatorId: eve, agencyId: lumen, userId: null });
  expect(await list()).toMatchObject({ count: 2, records: others });
});

it('is bounded for each list, and counts all', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({ ...bad, id: `leak-${n}` }));
  await leftOut.walked(leaksOf(mia), many, clock.now());
  const { count, records } = await list();
  expect([count, records.length]).toEqual([5_000, 50]);
});

it('is counted of many lists, of which the newest records are shown (D109)', async () => {
  const walked = Array.from({ length: 120 }, (_, n) => derivedId('creator', `${n}`));
  const many = Array.from({ length: 10 }, (_, n) => ({ ...bad, id: `leak-${n}` }));
  for (const creatorId of walked) await leftOut.walked(leaksOf(creatorId), many, clock.now());
  clock.advance(MINUTE);
  await leftOut.walked(leaksOf(mia), [bad], clock.now());
  const { count, records } = await list();
  expect([count, records.length, records[0]?.creatorId]).toEqual([1_201, 500, mia]);
});

it('does not show what no walk has confirmed for a day: the creator may have left', async () => {
  await leftOut.walked(leaksOf(mia), [bad], clock.now());
  clock.advance(DAY);
  expect(await list()).toEqual({ count: 0, records: [] });
});

it('D111: does not show what a clock recorded that was ahead, until the next walk', async () => {
  await leftOut.walked(leaksOf(mia), [bad], clock.now() + 30 * DAY);
  expect((await list()).count).toBe(0);
  await leftOut.walked(leaksOf(mia), [bad], clock.now());
  expect((await list()).count).toBe(1);
});

it('costs no write for a list that is in order', async () => {
  service.documents.write = () => Promise.reject(new Error('written'));
  await leftOut.walked(leaksOf(mia), [], clock.now());
});
