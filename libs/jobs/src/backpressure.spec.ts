import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Gate, settled } from '#testing';
import { BATCH_SIZE, Backpressure } from './backpressure.js';

const unpaced = () => new Backpressure(() => Promise.resolve());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** A pace whose read models catch up when the test says so. */
const heldPace = () => {
  const gates: Gate[] = [];
  const pace = new Backpressure(() => {
    const gate = new Gate();
    gates.push(gate);
    return gate.opened;
  });
  const viewsPass = async () => {
    gates.shift()?.open();
    await settled();
  };
  return { pace, viewsPass };
};

it('starts the next batch only when the read models have passed the last one', async () => {
  const { pace, viewsPass } = heldPace();
  const done: number[] = [];
  const all = pace.inBatches('lumen', numbers(3 * BATCH_SIZE), async (n) => done.push(n));
  for (const parts of [1, 2, 3]) {
    await settled();
    expect(done).toHaveLength(parts * BATCH_SIZE);
    await viewsPass();
  }
  await all;
});

it('resolves after the last batch, without waiting for the read models', async () => {
  const { pace } = heldPace();
  const done: number[] = [];
  await pace.inBatches('lumen', numbers(5), async (n) => done.push(n));
  expect(done).toEqual(numbers(5));
});

it('lets agencies take turns: a small one waits for one batch of a large one, not for all', async () => {
  const { pace, viewsPass } = heldPace();
  const order: string[] = [];
  const work = (agency: string) => async () => order.push(agency);
  const large = [1, 2, 3].map(() => pace.inBatches('large', numbers(2 * BATCH_SIZE), work('large')));
  const small = pace.inBatches('small', numbers(1), work('small'));
  await settled();
  expect(new Set(order)).toEqual(new Set(['large']));
  await viewsPass();
  await viewsPass();
  await small;
  expect(order.indexOf('small')).toBeLessThanOrEqual(2 * BATCH_SIZE);
  for (let part = 0; part < 6; part++) await viewsPass();
  await Promise.all(large);
});

it('handles the short list of a request immediately, one of an agency at a time', async () => {
  const { pace, viewsPass } = heldPace();
  const { signal } = new AbortController();
  const done: string[] = [];
  const work = (name: string) => async () => done.push(name);
  const large = pace.inBatches('large', numbers(3 * BATCH_SIZE), work('large'));
  await pace.inBatches('small', numbers(2 * BATCH_SIZE), work('request'), signal);
  expect(done.filter((name) => name === 'request')).toHaveLength(2 * BATCH_SIZE);

  const gate = new Gate();
  const first = pace.inBatches('small', numbers(1), () => gate.opened, signal);
  const second = pace.inBatches('small', numbers(1), work('second'), signal);
  await settled();
  expect(done).not.toContain('second');
  gate.open();
  await Promise.all([first, second]);
  for (let part = 0; part < 4; part++) await viewsPass();
  await large;
});

it('never runs more than one batch at a time', async () => {
  const jobs = fc.array(fc.record({ agency: fc.constantFrom('a', 'b', 'c'), items: fc.nat(100), fails: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(jobs, async (all) => {
      const pace = new Backpressure(() => settled());
      let [running, most, done] = [0, 0, 0];
      const outcomes = await Promise.allSettled(
        all.map(({ agency, items, fails }) =>
          pace.inBatches(agency, numbers(items), async (n) => {
            most = Math.max(most, ++running);
            await Promise.resolve();
            running--;
            done++;
            if (fails && n === 0) throw new Error('refused');
          }),
        ),
      );
      expect(most).toBeLessThanOrEqual(BATCH_SIZE);
      expect(outcomes.map(({ status }) => status)).toEqual(
        all.map(({ items, fails }) => (fails && items > 0 ? 'rejected' : 'fulfilled')),
      );
      // A list that fails ends with its batch; the others are complete.
      const expected = all.map(({ items, fails }) => (fails ? Math.min(items, BATCH_SIZE) : items));
      expect(done).toBe(expected.reduce((sum, items) => sum + items, 0));
    }),
    { numRuns: 30 },
  );
});

it('continues if the read models cannot be asked', async () => {
  const pace = new Backpressure(() => Promise.reject(new Error('the store cannot be reached')));
  const done: number[] = [];
  await pace.inBatches('lumen', numbers(2 * BATCH_SIZE), async (n) => done.push(n));
  expect(done).toHaveLength(2 * BATCH_SIZE);
});

it('rejects before the next batch after an abort, with its reason', async () => {
  const { pace, viewsPass } = heldPace();
  const abort = new AbortController();
  const done: number[] = [];
  const all = pace.inBatches('lumen', numbers(3 * BATCH_SIZE), async (n) => done.push(n), abort.signal);
  const outcome = expect(all).rejects.toThrow('out of time');
  await settled();
  abort.abort(new Error('out of time'));
  await viewsPass();
  await outcome;
  expect(done).toHaveLength(BATCH_SIZE);
});

it('limits the pages that each agency holds at a time', async () => {
  const pace = unpaced();
  const gate = new Gate();
  const held: string[] = [];
  const hold = (agency: string) =>
    pace.withPagePermit(agency, async () => {
      held.push(agency);
      await gate.opened;
    });
  const all = [...numbers(10).map(() => hold('large')), hold('small')];
  await settled();
  expect(held).toEqual(['large', 'large', 'large', 'large', 'small']);
  gate.open();
  await Promise.all(all);
  expect(held).toHaveLength(11);
});

it('rejects immediately when a request in the queue is aborted', async () => {
  const { pace, viewsPass } = heldPace();
  const abort = new AbortController();
  const done: string[] = [];
  const work = (name: string) => async () => done.push(name);
  await pace.inBatches('other', numbers(1), work('other'));
  const request = pace.inBatches('lumen', numbers(3 * BATCH_SIZE), work('request'), abort.signal);
  const worker = pace.inBatches('lumen', numbers(1), work('worker'));
  const outcome = expect(request).rejects.toThrow('out of time');
  abort.abort(new Error('out of time'));
  await outcome;
  await viewsPass();
  await worker;
  expect(done).toEqual(['other', 'worker']);
});

it('holds one page of the long lists of an agency in addition to its other pages', async () => {
  const pace = unpaced();
  const gate = new Gate();
  const held: string[] = [];
  const hold = (name: string, isLong: boolean) =>
    pace.withPagePermit(
      'lumen',
      async () => {
        held.push(name);
        await gate.opened;
      },
      isLong,
    );
  const all = [hold('long 1', true), hold('long 2', true), hold('short', false)];
  await settled();
  expect(held.toSorted()).toEqual(['long 1', 'short']);
  gate.open();
  await Promise.all(all);
  expect(held.at(-1)).toBe('long 2');
});

it.each([1, 3 * BATCH_SIZE])(
  'rejects a list of %i at an abort while it waits, and handles none of it',
  async (length) => {
    const pace = unpaced();
    const gate = new Gate();
    const abort = new AbortController();
    const first = pace.inBatches('lumen', numbers(length), () => gate.opened, abort.signal);
    const done: number[] = [];
    const waiting = pace.inBatches('lumen', numbers(length), async (n) => done.push(n), abort.signal);
    const outcomes = Promise.allSettled([first, waiting]);
    abort.abort(new Error('out of time'));
    await expect(waiting).rejects.toThrow('out of time');
    gate.open();
    const [ofFirst] = await outcomes;
    // The batch under way ends. Only the short list has no further one.
    expect(ofFirst.status).toBe(length === 1 ? 'fulfilled' : 'rejected');
    expect(done).toEqual([]);
  },
);
