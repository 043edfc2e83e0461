import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '#kernel';
import { events } from '../contract/given-events.js';
import { type EncodedAppend, encodeAppend } from '../encoded-append.js';
import { GroupCommit } from './group-commit.js';
import type { Verdict } from './writer.js';

/** Writes nothing, but remembers how many appends came in each group. */
function recording(write: (group: readonly EncodedAppend[]) => void = () => {}) {
  const sizes: number[] = [];
  const groups = new GroupCommit(async (group): Promise<Verdict[]> => {
    sizes.push(group.length);
    write(group);
    return group.map(() => ({ revision: 0, position: 1 }));
  });
  return { groups, sizes };
}

const appends = (count: number, eventsEach = 1, data?: object) =>
  Array.from({ length: count }, (_, n) =>
    encodeAppend(
      `thing-${n}`,
      'none',
      events(eventsEach).map((one) => ({ ...one, data: data ?? one.data })),
    ),
  );

test('appends of one turn are one group', async () => {
  const { groups, sizes } = recording();
  await Promise.all(appends(64).map((append) => groups.append(append)));
  expect(sizes).toEqual([64]);
});

test('writers that append again immediately share the next group', async () => {
  const { groups, sizes } = recording();
  const write = async (own: readonly EncodedAppend[]) => {
    for (const append of own) await groups.append(append);
  };
  await Promise.all(Array.from({ length: 10 }, () => write(appends(5))));
  expect(sizes).toEqual([10, 10, 10, 10, 10]);
});

test.each<[string, EncodedAppend[], number[]]>([
  ['events', appends(5, 200), [2, 2, 1]],
  ['bytes', appends(5, 1, { text: 'x'.repeat(400_000) }), [2, 2, 1]],
])('a group has a bound of %s', async (_, burst, expected) => {
  const { groups, sizes } = recording();
  await Promise.all(burst.map((append) => groups.append(append)));
  expect(sizes).toEqual(expected);
});

test('a group that fails rejects only its own appends', async () => {
  let broken = true;
  const { groups } = recording(() => {
    if (broken) throw new Error('disk full');
  });
  const verdicts = await Promise.allSettled(appends(3).map((append) => groups.append(append)));
  for (const verdict of verdicts) {
    expect(verdict).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable' } });
  }
  broken = false;
  await Promise.all(appends(3).map((append) => groups.append(append)));
});

test('appends during a commit wait for the next group', async () => {
  const written = Promise.withResolvers<void>();
  const sizes: number[] = [];
  const groups = new GroupCommit(async (group): Promise<Verdict[]> => {
    sizes.push(group.length);
    if (sizes.length === 1) await written.promise;
    return group.map(() => ({ revision: 0, position: 1 }));
  });
  const [first, ...others] = appends(4);
  if (!first) return;
  const begun = groups.append(first);
  await setImmediate();
  await setImmediate();
  const following = others.map((append) => groups.append(append));
  await setImmediate();
  expect(sizes).toEqual([1]);
  written.resolve();
  await Promise.all([begun, ...following]);
  expect(sizes).toEqual([1, 3]);
});

test('accepts nothing after it is closed, but settles accepted appends', async () => {
  const { groups, sizes } = recording();
  const [first, late] = appends(2);
  if (!first || !late) return;
  const taken = groups.append(first);
  const closed = groups.close();
  await expect(groups.append(late)).rejects.toBeInstanceOf(StoreUnavailable);
  await closed;
  expect((await taken).revision).toBe(0);
  expect(sizes).toEqual([1]);
});
