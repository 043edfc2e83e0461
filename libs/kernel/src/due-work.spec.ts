import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { CLAIM, DUE_WORK_INDEXES, DueWork, dueItem, type StoredDueItem } from './due-work.js';
import { workspaceId } from './tally.examples.js';

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

/** As the projection does when an event has made it due. */
const makeDue = async (kind: string, subject: string, dueAt: number, position = 3): Promise<StoredDueItem> => {
  const item = { ...dueItem(kind, subject, workspaceId, dueAt, cause), position };
  await store.write([{ collection: 'due', put: [item] }]);
  return item;
};

const stored = (id: string) => store.get<StoredDueItem>('due', id);
const claimOne = async (work: DueWork, now = 100): Promise<StoredDueItem> => {
  const [item] = await work.claimDue(new Map([['scan', 1]]), now);
  if (item === undefined) throw new Error('nothing to claim');
  return item;
};

describe('claiming', () => {
  it('takes what is due of the kind, the longest due first, and no more than asked', async () => {
    await makeDue('scan', 'late', 101);
    await makeDue('scan', 'second', 50);
    await makeDue('scan', 'first', 20);
    await makeDue('scan', 'third', 100);
    await makeDue('walk', 'other', 10);
    const first = await here.claimDue(new Map([['scan', 2]]), 100);
    expect(first.map(({ subject }) => subject)).toEqual(['first', 'second']);
    const second = await here.claimDue(new Map([['scan', 10]]), 100);
    expect(second.map(({ subject }) => subject)).toEqual(['third']);
    expect(await here.claimDue(new Map([['scan', 10]]), 100)).toEqual([]);
  });

  it('gives each item to one of several workers', async () => {
    for (let n = 0; n < 20; n++) await makeDue('scan', `s${n}`, n);
    const claims = await Promise.all(
      [here, there, here, there].map((work) => work.claimDue(new Map([['scan', 20]]), 100)),
    );
    expect(claims.flat().map(({ subject }) => subject)).toHaveLength(20);
  });

  it('goes on behind what others were quicker to take', async () => {
    for (let n = 0; n < 5; n++) await makeDue('scan', `s${n}`, n);
    const find = store.find.bind(store);
    let isFirst = true;
    store.find = async (...given) => {
      const found = await find<never>(...given);
      if (!isFirst) return found;
      isFirst = false;
      await there.claimDue(new Map([['scan', 2]]), 100);
      return found;
    };
    const claimed = await here.claimDue(new Map([['scan', 2]]), 100);
    expect(claimed.map(({ subject }) => subject)).toEqual(['s2', 's3']);
  });

  it('does so too where it has to ask for the kind by itself', async () => {
    for (let n = 0; n < 100; n++) await makeDue('walk', `w${n}`, n);
    for (let n = 0; n < 5; n++) await makeDue('scan', `s${n}`, n);
    const find = store.find.bind(store);
    let isFirst = true;
    store.find = async (collection, query) => {
      const found = await find<never>(collection, query);
      if (!isFirst || query.index !== 'ready') return found;
      isFirst = false;
      await there.claimDue(new Map([['scan', 2]]), 100);
      return found;
    };
    const claimed = await here.claimDue(new Map([['scan', 2]]), 100);
    expect(claimed.map(({ subject }) => subject)).toEqual(['s2', 's3']);
  });

  it('takes what an event moves on meanwhile, and what is due still', async () => {
    await makeDue('scan', 's', 10);
    const find = store.find.bind(store);
    let isFirst = true;
    store.find = async (...given) => {
      const found = await find<never>(...given);
      if (isFirst) await makeDue('scan', 's', 20, 6);
      isFirst = false;
      return found;
    };
    expect(await here.claimDue(new Map([['scan', 2]]), 100)).toMatchObject([
      { position: 6, dueAt: 20, claimedBy: 'host-a/1/1/' },
    ]);
  });

  it('is over when its time has run out: another takes the item, and the first can change nothing', async () => {
    await makeDue('scan', 's', 10);
    const slow = await claimOne(here);
    expect(await there.claimDue(new Map([['scan', 1]]), 100 + CLAIM - 1)).toEqual([]);
    const next = await claimOne(there, 100 + CLAIM);
    await here.postpone(slow, 999);
    expect(await stored('scan-s')).toEqual(next);
  });

  it('is forgotten when an event moves the item on', async () => {
    await makeDue('scan', 's', 10);
    const before = await claimOne(here);
    const moved = await makeDue('scan', 's', 40, 6);
    await here.postpone(before, 999_999);
    expect(await stored('scan-s')).toEqual(moved);
    expect(await claimOne(there)).toMatchObject({ position: 6, claimedBy: 'host-b/1/1/' });
  });

  it('does not bring back what an event has settled', async () => {
    await makeDue('scan', 's', 10);
    const claimed = await claimOne(here);
    await store.write([{ collection: 'due', remove: ['scan-s'] }]);
    await here.postpone(claimed, 999);
    expect(await stored('scan-s')).toBeUndefined();
  });
});

describe('claiming of several kinds', () => {
  const room = new Map([
    ['scan', 2],
    ['walk', 5],
  ]);
  const subjects = (items: readonly StoredDueItem[]) => items.map(({ subject }) => subject);

  it('takes of each as much as there is room for, the longest due first, by one look', async () => {
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
    expect(subjects(await here.claimDue(room, 100))).toEqual(['a', 'b', 'w']);
    expect(find).toHaveBeenCalledTimes(1);
    expect(await stored('scan-a')).toMatchObject({ claimedBy: 'host-a/1/1/', readyAt: 100 + CLAIM });
    expect(subjects(await there.claimDue(room, 100))).toEqual(['c']);
    expect(await stored('unasked-x')).toMatchObject({ claimedBy: null });
  });

  it('passes none by for the many of another kind', async () => {
    for (let n = 0; n < 150; n++) await makeDue('scan', `s${n}`, n);
    await makeDue('walk', 'w', 150);
    expect(subjects(await here.claimDue(room, 200))).toEqual(['s0', 's1', 'w']);
  });
});

it('does what was claimed of one kind though the claims of another fail, and rejects where all do', async () => {
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
  expect((await here.claimDue(room, 100)).map(({ subject }) => subject)).toEqual(['s']);
  await expect(here.claimDue(room, 100)).rejects.toThrow('on fire');
  failing.mockRestore();
  expect((await here.claimDue(room, 100)).map(({ subject }) => subject)).toEqual(['w']);
});

describe('postponing', () => {
  it('makes the item ready for anybody at that time, and counts failures in a row', async () => {
    await makeDue('scan', 's', 10);
    await here.postpone(await claimOne(here), 500, 3);
    expect(await stored('scan-s')).toMatchObject({ readyAt: 500, claimedBy: null, failures: 3, dueAt: 10 });
    expect(await there.claimDue(new Map([['scan', 1]]), 499)).toEqual([]);
    await there.postpone(await claimOne(there, 500), 600);
    expect(await stored('scan-s')).toMatchObject({ failures: 0 });
  });
});

it('knows when the next item of any kind is ready, claimed ones included', async () => {
  expect(await here.nextReady()).toBeUndefined();
  await makeDue('scan', 'a', 300);
  await makeDue('scan', 'b', 50);
  await makeDue('walk', 'c', 0);
  expect(await here.nextReady()).toBe(0);
  expect(await here.nextReady(0)).toBe(50);
  await claimOne(here, 50);
  expect(await here.nextReady(0)).toBe(300);
  expect(await here.nextReady(300)).toBe(50 + CLAIM);
  expect(await here.nextReady(50 + CLAIM)).toBeUndefined();
});

describe('the claims of holders that are no more', () => {
  it('are ready again at once, and those of the living stay', async () => {
    for (const subject of ['a', 'b', 'c']) await makeDue('scan', subject, 10);
    const gone = [await claimOne(here), await claimOne(here)];
    const alive = await claimOne(there);
    const asked: string[] = [];
    const isGone = (holder: string) => {
      asked.push(holder);
      return holder.startsWith('host-a');
    };
    expect(await there.freeClaimsOf(isGone, 200)).toBe(2);
    expect(asked.sort()).toEqual(['host-a/1/1/', 'host-b/1/1/']);
    for (const { id } of gone) expect(await stored(id)).toMatchObject({ claimedBy: null, readyAt: 200 });
    expect(await stored(alive.id)).toEqual(alive);
    expect(await there.claimDue(new Map([['scan', 10]]), 200)).toHaveLength(2);
  });

  it('are found among more than a page of others, also of one moment', async () => {
    const put = Array.from({ length: 2_500 }, (_, n) => ({
      ...dueItem('walk', `w${String(n).padStart(4, '0')}`, workspaceId, n < 500 ? 200 + n : 100 + CLAIM, cause),
      position: 3,
    }));
    await store.write([{ collection: 'due', put }]);
    for (const subject of ['a', 'b', 'c']) await makeDue('walk', subject, 10);
    await makeDue('zeal', 'a', 10);
    await here.claimDue(new Map([['walk', 3]]), 100);
    await here.claimDue(new Map([['zeal', 1]]), 100);
    expect(await there.freeClaimsOf((holder) => holder.startsWith('host-a'), 150)).toBe(4);
  });

  it('can be renewed no more', async () => {
    await makeDue('scan', 'a', 10);
    const claimed = await claimOne(here);
    expect(await there.freeClaimsOf((holder) => holder.startsWith('host-a'), 200)).toBe(1);
    expect(await here.keep(claimed, 9_999)).toBe(false);
    await here.postpone(claimed, 9_999);
    expect(await stored('scan-a')).toMatchObject({ readyAt: 200, claimedBy: null });
  });

  it('are none where nothing is claimed', async () => {
    await makeDue('scan', 'a', 10);
    expect(await here.freeClaimsOf(() => true, 200)).toBe(0);
  });
});
