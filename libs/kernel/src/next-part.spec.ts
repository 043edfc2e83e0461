import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import { nextPart } from './next-part.js';

/** In milliseconds. */
const PART = 20;
const PARTS = 5;

const block = (): void => {
  for (const end = performance.now() + PART; performance.now() < end; );
};

const work = async (part = block): Promise<void> => {
  for (let n = 0; n < PARTS; n++) {
    await nextPart();
    part();
  }
};

it('runs one part in a turn of the event loop, however much long work is under way (D109)', async () => {
  let isOver = false;
  let parts = 0;
  const perTurn = new Set<number>();
  const watching = (async () => {
    for (; !isOver; parts = 0) {
      await nextTurn();
      perTurn.add(parts);
    }
  })();
  await Promise.all(Array.from({ length: 4 }, () => work(() => parts++)));
  isOver = true;
  await watching;
  expect(Math.max(...perTurn)).toBe(1);
});

it('leaves others as much time as the parts take', async () => {
  const began = performance.now();
  await work();
  // Without a pause after the last one.
  expect(performance.now() - began).toBeGreaterThanOrEqual(PARTS * PART + (PARTS - 1) * (PART - 1));
});

it('leaves others far more time while they are busy', async () => {
  let isOver = false;
  const others = (async () => {
    for (; !isOver; await nextTurn()) block();
  })();
  const began = performance.now();
  await work();
  isOver = true;
  await others;
  expect(performance.now() - began).toBeGreaterThanOrEqual((PARTS - 1) * 7 * PART);
});

it('lets those who wait go on in turn', async () => {
  const order: string[] = [];
  await Promise.all(['a', 'b'].map((name) => work(() => order.push(name))));
  expect(order.join('')).toBe('ab'.repeat(PARTS));
});

it('goes on after timers were replaced during a pause', async () => {
  await nextPart();
  jest.useFakeTimers();
  const next = nextPart();
  await nextTurn();
  jest.useRealTimers();
  await next;
  await nextPart();
});
