import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { StoreUnavailable } from './event-log.js';
import { GroupCommit } from './group-commit.js';

/** Writes nothing, but remembers how many items came in each group. An item is its share of a group. */
function recording(commit: (group: readonly number[]) => Promise<void> | void = () => {}) {
  const sizes: number[] = [];
  const groups = new GroupCommit<number, number>(
    'the store',
    async (group) => {
      sizes.push(group.length);
      await commit(group);
      return group.map((share) => (share < 0 ? new Error('refused') : share));
    },
    (share) => share,
  );
  return { groups, sizes };
}

const items = (count: number, share = 0) => Array.from({ length: count }, () => share);

test('items of one turn are one group, and each gets its own outcome', async () => {
  const { groups, sizes } = recording();
  const outcomes = await Promise.allSettled([0, -1, 0.5].map((item) => groups.add(item)));
  expect(outcomes).toMatchObject([{ value: 0 }, { reason: { message: 'refused' } }, { value: 0.5 }]);
  expect(sizes).toEqual([3]);
});

test('writers that write again immediately share the next group', async () => {
  const { groups, sizes } = recording();
  const write = async () => {
    for (const item of items(5)) await groups.add(item);
  };
  await Promise.all(Array.from({ length: 10 }, write));
  expect(sizes).toEqual([10, 10, 10, 10, 10]);
});

test.each([
  ['a group has a bound', items(5, 0.4), [2, 2, 1]],
  ['an item beyond the bound is a separate group', [0.1, 3, 0.1, 0.1], [1, 1, 2]],
])('%s', async (_, burst, expected) => {
  const { groups, sizes } = recording();
  await Promise.all(burst.map((item) => groups.add(item)));
  expect(sizes).toEqual(expected);
});

test('a group that fails rejects its own items, and no others', async () => {
  let broken = true;
  const { groups } = recording(() => {
    if (broken) throw new Error('disk full');
  });
  const outcomes = await Promise.allSettled(items(3).map((item) => groups.add(item)));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { message: 'disk full' } });
  broken = false;
  expect(await Promise.all(items(3).map((item) => groups.add(item)))).toEqual([0, 0, 0]);
});

test('a commit that leaves out an outcome rejects all items', async () => {
  const groups = new GroupCommit<number, number>('the store', async () => [1]);
  const outcomes = await Promise.allSettled([groups.add(1), groups.add(2)]);
  expect(outcomes).toMatchObject([1, 2].map(() => ({ reason: { name: 'StoreUnavailable' } })));
});

test('items during a commit wait for the next group', async () => {
  const written = Promise.withResolvers<void>();
  const { groups, sizes } = recording(() => (sizes.length === 1 ? written.promise : undefined));
  const begun = groups.add(0);
  await setImmediate();
  await setImmediate();
  const following = items(3).map((item) => groups.add(item));
  await setImmediate();
  expect(sizes).toEqual([1]);
  written.resolve();
  await Promise.all([begun, ...following]);
  expect(sizes).toEqual([1, 3]);
});

test('accepts nothing after it is closed, but settles accepted items', async () => {
  const { groups, sizes } = recording();
  const taken = groups.add(0);
  const closed = groups.close();
  await expect(groups.add(0)).rejects.toBeInstanceOf(StoreUnavailable);
  await closed;
  expect(await taken).toBe(0);
  expect(sizes).toEqual([1]);
});
