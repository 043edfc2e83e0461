import { expect, it } from '@jest/globals';
import { type Document, Fenced, WORKER_LEASE } from '#kernel';
import { collectionWith, freshName } from './fixtures.js';
import type { StoreUnderTest } from './store-under-test.js';

export const leasesContract = (store: StoreUnderTest): void => {
  it('gives a free lease, and refuses it to others while it is held', async () => {
    const name = freshName('lease');
    const lease = await store().acquireLease(name, 'one', 100, 200);
    expect(lease).toMatchObject({ name, holder: 'one', until: 200 });
    expect(await store().acquireLease(name, 'other', 100, 300)).toBeUndefined();
    expect(await store().acquireLease(name, 'other', 199, 300)).toBeUndefined();
  });

  it('gives a lease that is over to another, with a greater fence', async () => {
    const name = freshName('lease');
    const first = await store().acquireLease(name, 'one', 100, 200);
    const second = await store().acquireLease(name, 'other', 200, 300);
    expect(second).toMatchObject({ holder: 'other', until: 300 });
    expect(second?.fence).toBeGreaterThan(first?.fence ?? Number.NaN);
    expect(await store().acquireLease(name, 'one', 250, 400)).toBeUndefined();
  });

  it('renews the holder’s own lease under the same fence, also one that is over', async () => {
    const name = freshName('lease');
    const first = await store().acquireLease(name, 'one', 100, 200);
    const renewed = await store().acquireLease(name, 'one', 150, 250);
    expect(renewed).toEqual({ ...first, until: 250 });
    expect(await store().acquireLease(name, 'one', 900, 950)).toEqual({ ...first, until: 950 });
    expect(await store().acquireLease(name, 'other', 920, 999)).toBeUndefined();
  });

  it('keeps the fence of a released lease, so that it only grows', async () => {
    const name = freshName('lease');
    const fences: number[] = [];
    for (const holder of ['one', 'other', 'one', 'one']) {
      const lease = await store().acquireLease(name, holder, 100, 200);
      fences.push(lease?.fence ?? Number.NaN);
      await store().releaseLease(name, holder);
    }
    const grown = fences.toSorted((one, other) => one - other);
    expect(fences).toEqual(grown);
    expect(new Set(fences.slice(0, 3)).size).toBe(3);
    expect(fences[0]).toBeGreaterThanOrEqual(1);
  });

  it('does not release the lease of another holder', async () => {
    const name = freshName('lease');
    const lease = await store().acquireLease(name, 'one', 100, 200);
    await store().releaseLease(name, 'other');
    await store().releaseLease(freshName('lease'), 'other');
    expect(await store().acquireLease(name, 'other', 150, 300)).toBeUndefined();
    expect(await store().acquireLease(name, 'one', 150, 300)).toEqual({ ...lease, until: 300 });
  });

  it('shows a lease that was acquired and not released, also an expired one', async () => {
    const [held, over, released] = [freshName('lease'), freshName('lease'), freshName('lease')];
    const expected = [
      await store().acquireLease(held, 'one', 100, Number.MAX_SAFE_INTEGER),
      await store().acquireLease(over, 'two', 100, 101),
    ];
    await store().acquireLease(released, 'three', 100, 200);
    await store().releaseLease(released, 'three');
    expect(await Promise.all([held, over].map((name) => store().lease(name)))).toEqual(expected);
    expect(await store().lease(released)).toBeUndefined();
    expect(await store().lease(freshName('lease'))).toBeUndefined();
  });

  it('gives a lease that many request concurrently to one of them', async () => {
    const name = freshName('lease');
    for (const [now, until] of [
      [100, 200],
      [200, 300],
    ] as const) {
      const wanting = Array.from({ length: 30 }, (_, n) => `holder ${now} ${n}`);
      const got = await Promise.all(wanting.map((holder) => store().acquireLease(name, holder, now, until)));
      expect(got.filter((lease) => lease !== undefined)).toHaveLength(1);
    }
  });

  it('refuses a compare-and-set of a former leader once its successor has changed the document', async () => {
    const [before, after] = ['one', 'other'];
    const former = await store().acquireLease(WORKER_LEASE, before, 100, 200);
    const collection = await collectionWith(store(), [{ id: 'a', time: 1 } as Document]);
    const set = (time: number, expected: number, fence = Number.NaN) =>
      store().compareAndSet(collection, { id: 'a', time } as Document, { time: expected }, fence);
    expect(await set(2, 1, former?.fence)).toBe(true);
    await store().releaseLease(WORKER_LEASE, before);
    const leader = await store().acquireLease(WORKER_LEASE, after, 100, 200);
    expect(await set(3, 2, leader?.fence)).toBe(true);
    await expect(set(4, 3, former?.fence)).rejects.toThrow(Fenced);
    expect(await store().get(collection, 'a')).toEqual({ id: 'a', time: 3 });
    expect(await set(5, 3, leader?.fence)).toBe(true);
    const entry = { id: 'b' };
    expect(await store().compareAndSet(collection, entry, null, leader?.fence)).toBe(true);
    await expect(store().compareAndSet(collection, entry, null, former?.fence)).rejects.toThrow(Fenced);
    await store().releaseLease(WORKER_LEASE, after);
  });
};
