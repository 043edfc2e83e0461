import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AgencyPermits, dueItem, type StoredDueItem } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { workspaceId } from '../../../kernel/src/deciding/tally.fixtures.js';
import { CLAIMED, type Claim, DUE_WORK_INDEXES, DueWork } from './due-work.js';

let store: InMemoryDocumentStore;
let here: DueWork;
let there: DueWork;

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'due', indexes: DUE_WORK_INDEXES }]);
  here = new DueWork(store, async () => 'due', 'host-a/1/1/');
  there = new DueWork(store, async () => 'due', 'host-b/1/1/');
});

const cause = { id: 'e1', correlationId: 'req_1' };

/** Writes what the projection writes when an event has made the item due. */
const makeDue = async (kind: string, subject: string, dueAt: number, position = 3): Promise<StoredDueItem> => {
  const item = { ...dueItem(kind, subject, workspaceId, dueAt, cause), position };
  await store.write([{ collection: 'due', put: [item] }]);
  return item;
};

const isOfHostA = ({ claimedBy }: Claim) => claimedBy.startsWith('host-a');
const stored = (id: string) => store.get<StoredDueItem>('due', id);
/** Claims as many items of each kind, all of one agency if they are. */
const claimDue = async (work: DueWork, most: ReadonlyMap<string, number>, now: number): Promise<StoredDueItem[]> => {
  const permits = [...most].map(([kind, n]) => [kind, new AgencyPermits({ perAgency: n, total: n })] as const);
  return (await work.claimDue(new Map(permits), now)).map(({ task }) => task);
};
const claimOne = async (work: DueWork, now = 100): Promise<StoredDueItem> => {
  const [item] = await claimDue(work, new Map([['scan', 1]]), now);
  if (item === undefined) throw new Error('nothing to claim');
  return item;
};

describe('a claim', () => {
  it('takes due items of the kind, the longest due first, up to the limit', async () => {
    await makeDue('scan', 'late', 101);
    await makeDue('scan', 'second', 50);
    await makeDue('scan', 'first', 20);
    await makeDue('scan', 'third', 100);
    await makeDue('walk', 'other', 10);
    const first = await claimDue(here, new Map([['scan', 2]]), 100);
    expect(first.map(({ subject }) => subject)).toEqual(['first', 'second']);
    const second = await claimDue(here, new Map([['scan', 10]]), 100);
    expect(second.map(({ subject }) => subject)).toEqual(['third']);
    expect(await claimDue(here, new Map([['scan', 10]]), 100)).toEqual([]);
  });

  it('of an item succeeds for one of several workers', async () => {
    for (let n = 0; n < 20; n++) await makeDue('scan', `s${n}`, n);
    const claims = await Promise.all(
      [here, there, here, there].map((work) => claimDue(work, new Map([['scan', 20]]), 100)),
    );
    expect(claims.flat().map(({ subject }) => subject)).toHaveLength(20);
  });

  it('takes the next items if other workers were faster with the first ones', async () => {
    for (let n = 0; n < 5; n++) await makeDue('scan', `s${n}`, n);
    const find = store.find.bind(store);
    let isFirst = true;
    store.find = async (...given) => {
      const found = await find<never>(...given);
      if (!isFirst) return found;
      isFirst = false;
      await claimDue(there, new Map([['scan', 2]]), 100);
      return found;
    };
    const claimed = await claimDue(here, new Map([['scan', 2]]), 100);
    expect(claimed.map(({ subject }) => subject)).toEqual(['s2', 's3']);
  });

  it('also does that when it reads a single kind', async () => {
    for (let n = 0; n < 100; n++) await makeDue('walk', `w${n}`, n);
    for (let n = 0; n < 5; n++) await makeDue('scan', `s${n}`, n);
    const find = store.find.bind(store);
    let isFirst = true;
    store.find = async (collection, query) => {
      const found = await find<never>(collection, query);
      if (!isFirst || query.index !== 'ready') return found;
      isFirst = false;
      await claimDue(there, new Map([['scan', 2]]), 100);
      return found;
    };
    const claimed = await claimDue(here, new Map([['scan', 2]]), 100);
    expect(claimed.map(({ subject }) => subject)).toEqual(['s2', 's3']);
  });

  it('takes an item that an event changes during the claim, if it is still due', async () => {
    await makeDue('scan', 's', 10);
    const find = store.find.bind(store);
    let isFirst = true;
    store.find = async (...given) => {
      const found = await find<never>(...given);
      if (isFirst) await makeDue('scan', 's', 20, 6);
      isFirst = false;
      return found;
    };
    expect(await claimDue(here, new Map([['scan', 2]]), 100)).toMatchObject([
      { position: 6, dueAt: 20, claimedBy: 'host-a/1/1/' },
    ]);
  });

  it('does not end by any clock; when it is released, another worker takes the item, and the first one cannot change it', async () => {
    await makeDue('scan', 's', 10);
    const slow = await claimOne(here);
    expect(await claimDue(there, new Map([['scan', 1]]), CLAIMED - 1)).toEqual([]);
    await there.releaseClaims(() => true, 100);
    const next = await claimOne(there);
    await here.postpone(slow, 999);
    expect(await stored('scan-s')).toEqual(next);
  });

  it('is removed when an event changes the item', async () => {
    await makeDue('scan', 's', 10);
    const before = await claimOne(here);
    const moved = await makeDue('scan', 's', 40, 6);
    await here.postpone(before, 999_999);
    expect(await stored('scan-s')).toEqual(moved);
    expect(await claimOne(there)).toMatchObject({ position: 6, claimedBy: 'host-b/1/1/' });
  });

  it('does not restore an item that an event has removed', async () => {
    await makeDue('scan', 's', 10);
    const claimed = await claimOne(here);
    await store.write([{ collection: 'due', remove: ['scan-s'] }]);
    await here.postpone(claimed, 999);
    expect(await stored('scan-s')).toBeUndefined();
  });
});

describe('a claim of several kinds', () => {
  const room = new Map([
    ['scan', 2],
    ['walk', 5],
  ]);
  const subjects = (items: readonly StoredDueItem[]) => items.map(({ subject }) => subject);

  it('takes items of each kind up to its limit, the longest due first, with one read', async () => {
    for (const [kind, subject, dueAt] of [
      ['scan', 'c', 30],
      ['scan', 'b', 20],
      ['scan', 'a', 10],
      ['walk', 'w', 40],
      ['walk', 'later', 101],
      ['unasked', 'x', 1],
    ] as const)
      await makeDue(kind, subject, dueAt);
    const find = jest.spyOn(store, 'find');
    expect(subjects(await claimDue(here, room, 100))).toEqual(['a', 'b', 'w']);
    expect(find).toHaveBeenCalledTimes(1);
    expect(await stored('scan-a')).toMatchObject({ claimedBy: 'host-a/1/1/', readyAt: CLAIMED });
    expect(subjects(await claimDue(there, room, 100))).toEqual(['c']);
    expect(await stored('unasked-x')).toMatchObject({ claimedBy: null });
  });

  it('finds the items of a kind behind many of another kind', async () => {
    for (let n = 0; n < 150; n++) await makeDue('scan', `s${n}`, n);
    await makeDue('walk', 'w', 150);
    expect(subjects(await claimDue(here, room, 200)).toSorted()).toEqual(['s0', 's1', 'w']);
  });
});

it('returns the claimed items though claims of another kind fail, and rejects if all fail', async () => {
  await makeDue('scan', 's', 10);
  await makeDue('walk', 'w', 10);
  const room = new Map([
    ['scan', 1],
    ['walk', 1],
  ]);
  const compareAndSet = store.compareAndSet.bind(store);
  const failing = jest.spyOn(store, 'compareAndSet').mockImplementation(async (collection, document, expected) => {
    if (document.id === 'walk-w') throw new Error('on fire');
    return compareAndSet(collection, document, expected);
  });
  expect((await claimDue(here, room, 100)).map(({ subject }) => subject)).toEqual(['s']);
  await expect(claimDue(here, room, 100)).rejects.toThrow('on fire');
  failing.mockRestore();
  expect((await claimDue(here, room, 100)).map(({ subject }) => subject)).toEqual(['w']);
});

describe('a postponement', () => {
  it('makes the item ready for all workers at that time, and counts failures in a row', async () => {
    await makeDue('scan', 's', 10);
    await here.postpone(await claimOne(here), 500, 3);
    expect(await stored('scan-s')).toMatchObject({ readyAt: 500, claimedBy: null, failures: 3, dueAt: 10 });
    expect(await claimDue(there, new Map([['scan', 1]]), 499)).toEqual([]);
    await there.postpone(await claimOne(there, 500), 600);
    expect(await stored('scan-s')).toMatchObject({ failures: 0 });
  });
});

it('nextReady returns when the next item of any kind is ready, also if it is claimed', async () => {
  expect(await here.nextReady()).toBeUndefined();
  await makeDue('scan', 'a', 300);
  await makeDue('scan', 'b', 50);
  await makeDue('walk', 'c', 0);
  expect(await here.nextReady()).toBe(0);
  expect(await here.nextReady(0)).toBe(50);
  await claimOne(here, 50);
  expect(await here.nextReady(0)).toBe(300);
  expect(await here.nextReady(300)).toBeUndefined();
});

describe('claims that are over', () => {
  it('are released, and others are kept', async () => {
    for (const subject of ['a', 'b', 'c']) await makeDue('scan', subject, 10);
    const gone = [await claimOne(here), await claimOne(here)];
    const alive = await claimOne(there);
    const asked: string[] = [];
    const isOver = ({ claimedBy }: Claim) => {
      asked.push(claimedBy);
      return claimedBy.startsWith('host-a');
    };
    expect(await there.releaseClaims(isOver, 200)).toBe(2);
    expect(asked.sort()).toEqual(['host-a/1/1/', 'host-a/1/1/', 'host-b/1/1/']);
    for (const { id } of gone) expect(await stored(id)).toMatchObject({ claimedBy: null, readyAt: 10 });
    expect(await stored(alive.id)).toEqual(alive);
    expect(await claimDue(there, new Map([['scan', 10]]), 200)).toHaveLength(2);
  });

  it('are found among more than a page of others, also with the same time', async () => {
    const put = Array.from({ length: 2_500 }, (_, n) => ({
      ...dueItem('walk', `w${String(n).padStart(4, '0')}`, workspaceId, n < 500 ? CLAIMED + n : CLAIMED, cause),
      position: 3,
    }));
    await store.write([{ collection: 'due', put }]);
    for (const subject of ['a', 'b', 'c']) await makeDue('walk', subject, 10);
    await makeDue('zeal', 'a', 10);
    await claimDue(here, new Map([['walk', 3]]), 100);
    await claimDue(here, new Map([['zeal', 1]]), 100);
    expect(await there.releaseClaims(isOfHostA, 150)).toBe(4);
  });

  it('cannot be renewed', async () => {
    await makeDue('scan', 'a', 10);
    const claimed = await claimOne(here);
    expect(await there.releaseClaims(isOfHostA, 200)).toBe(1);
    expect(await here.renew(claimed, 9_999)).toBe(false);
    await here.postpone(claimed, 9_999);
    expect(await stored('scan-a')).toMatchObject({ readyAt: 10, claimedBy: null });
  });

  it('are none if nothing is claimed', async () => {
    await makeDue('scan', 'a', 10);
    expect(await here.releaseClaims(() => true, 200)).toBe(0);
  });
});

describe('while a rebuild replaces the collection', () => {
  const RENEWAL = 3;

  /** Each call reads the old name first, whose collection is gone. */
  const late = () => {
    let reads = 0;
    return new DueWork(store, async () => (reads++ % 2 === 0 ? 'replaced' : 'due'), 'host-a/1/1/');
  };

  it('items are claimed, renewed and postponed in the new one', async () => {
    await makeDue('scan', 'a', 10);
    const item = await claimOne(late());
    expect(item).toMatchObject({ subject: 'a', claimedBy: 'host-a/1/1/' });
    expect(await late().renew(item, RENEWAL)).toBe(true);
    expect(await stored(item.id)).toMatchObject({ readyAt: CLAIMED + RENEWAL });
    await late().postpone(item, 500);
    expect(await late().nextReady(100)).toBe(500);
    expect(await late().countReady('scan', 500, 9)).toBe(1);
    expect(await stored(item.id)).toMatchObject({ readyAt: 500, claimedBy: null });
  });

  it('items are expedited, and claims released, in the new one', async () => {
    await makeDue('scan', 'a', 10_000);
    await late().expedite('scan', 'a', 200);
    const { id } = await claimOne(here, 200);
    expect(await late().releaseOwnClaims(300)).toBe(1);
    expect(await stored(id)).toMatchObject({ readyAt: 300, claimedBy: null });
  });
});

describe('expediting an item', () => {
  it('lets it be claimed now', async () => {
    await makeDue('scan', 'one', 10);
    await here.postpone(await claimOne(here), 5_000);
    expect(await claimDue(here, new Map([['scan', 1]]), 200)).toEqual([]);
    await there.expedite('scan', 'one', 200);
    expect((await claimOne(here, 200)).subject).toBe('one');
  });

  it('does not change an item that is claimed, waits after a failure, is ready or does not exist', async () => {
    await makeDue('scan', 'one', 10);
    const claimed = await claimOne(here);
    await there.expedite('scan', 'one', 200);
    expect(await stored('scan-one')).toEqual(claimed);
    await here.postpone(claimed, 5_000, 1);
    await there.expedite('scan', 'one', 200);
    expect(await stored('scan-one')).toMatchObject({ readyAt: 5_000, failures: 1 });
    await makeDue('scan', 'ready', 10);
    await there.expedite('scan', 'ready', 200);
    expect(await stored('scan-ready')).toMatchObject({ readyAt: 10 });
    await there.expedite('scan', 'unknown', 200);
    expect(await stored('scan-unknown')).toBeUndefined();
  });
});
