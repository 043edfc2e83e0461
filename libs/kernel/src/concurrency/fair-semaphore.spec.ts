import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Gate, settled } from '#testing';
import { FairSemaphore, type Permit } from './fair-semaphore.js';

/** Tasks that last until the gate opens. */
const stage = (limit: number) => {
  const permits = new FairSemaphore({ perAgency: limit });
  const gate = new Gate();
  const begun: string[] = [];
  const begin = (agency: string) => async () => {
    begun.push(agency);
    await gate.opened;
    return agency;
  };
  return { permits, gate, begun, begin };
};

it('limits the tasks of one agency, and does not block those of another', async () => {
  const { permits, gate, begun, begin } = stage(2);
  const large = [1, 2, 3].map(() => permits.run('large', begin('large')));
  const small = permits.run('small', begin('small'));
  await settled();
  expect(begun).toEqual(['large', 'large', 'small']);
  gate.open();
  expect(await Promise.all([...large, small])).toEqual(['large', 'large', 'large', 'small']);
});

it('refuses a task without a permit in time, and never runs it later', async () => {
  const { permits, gate, begun, begin } = stage(1);
  const first = permits.run('large', begin('large'));
  expect(await permits.run('large', begin('large'), { timeout: 1 })).toBeUndefined();
  gate.open();
  await first;
  expect(begun).toEqual(['large']);
  expect(await permits.run('large', begin('large'), { timeout: 1 })).toBe('large');
});

it('releases the permit after a task that failed', async () => {
  const permits = new FairSemaphore({ perAgency: 1 });
  const failing = permits.run('large', async () => {
    throw new Error('refused');
  });
  const next = permits.run('large', async () => 'done');
  await expect(failing).rejects.toThrow('refused');
  expect(await next).toBe('done');
});

it('gives permits by turns among the agencies that wait', async () => {
  const permits = new FairSemaphore({ perAgency: 1, total: 1 });
  const order: string[] = [];
  const first = permits.take('large');
  const waiting = ['large', 'large', 'small', 'other', 'small'].map((agency) =>
    permits.run(agency, async () => void order.push(agency)),
  );
  await settled();
  expect(order).toEqual([]);
  first?.release();
  await Promise.all(waiting);
  expect(order).toEqual(['large', 'small', 'other', 'large', 'small']);
});

it('gives an agency that holds none a permit, though others hold all (D89)', () => {
  const permits = new FairSemaphore({ perAgency: 2, total: 4, alwaysOne: true });
  for (const agency of ['a', 'b']) for (let n = 0; n < 3; n++) permits.take(agency);
  expect([permits.free('a'), permits.free('c')]).toEqual([0, 1]);
  expect(permits.take('c')).toBeDefined();
  expect([permits.free('c'), permits.free('d')]).toEqual([0, 1]);
});

it('rejects when a waiting task is aborted, and the next one gets the permit', async () => {
  const permits = new FairSemaphore({ perAgency: 1 });
  const held = permits.take('large');
  const { signal } = new AbortController();
  const abort = new AbortController();
  const aborted = permits.acquire('large', { signal: abort.signal });
  const next = permits.acquire('large', { signal });
  abort.abort(new Error('out of time'));
  await expect(aborted).rejects.toThrow('out of time');
  held?.release();
  (await next).release();
  expect(permits.free('large')).toBe(1);
});

it('keeps its limits in any order of tasks, and each agency that holds none finds a permit', () => {
  const step = fc.record({ agency: fc.integer({ min: 0, max: 6 }), releases: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      const permits = new FairSemaphore({ perAgency: 2, total: 5, alwaysOne: true });
      const held: { agency: string; permit: Permit }[] = [];
      for (const { agency: n, releases } of steps) {
        const agency = String(n);
        if (releases) held.shift()?.permit.release();
        const own = held.filter((other) => other.agency === agency).length;
        const permit = permits.take(agency);
        expect(permit !== undefined).toBe(own === 0 || (own < 2 && held.length < 5));
        if (permit !== undefined) held.push({ agency, permit });
      }
    }),
  );
});
