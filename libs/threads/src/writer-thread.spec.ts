import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable } from '#kernel';
import { WriterThread } from './writer-thread.js';

let sums: WriterThread<{ value: number }, number, number>;

beforeEach(() => {
  sums = new WriterThread(new URL('./testing/sums.thread.js', import.meta.url), { value: 40 });
});

afterEach(() => sums.close());

test('answers in turn', async () => {
  expect(await Promise.all([sums.ask(2), sums.ask(0), sums.ask(8)])).toEqual([42, 42, 50]);
});

test('a failure rejects all open requests, and the next request starts a new thread', async () => {
  const asked = await Promise.allSettled([sums.ask(2), sums.ask(-1), sums.ask(8)]);
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(asked[2]).toMatchObject({ reason: { name: 'StoreUnavailable', cause: { message: 'a negative number' } } });
  expect(await sums.ask(1)).toBe(41);
});

test('what cannot be sent is refused, and changes nothing', async () => {
  await expect(sums.ask((() => 1) as never)).rejects.toThrow('could not be cloned');
  expect(await sums.ask(1)).toBe(41);
});

test('closing waits for the answers', async () => {
  const asked = [sums.ask(1), sums.ask(1)];
  await sums.close();
  expect(await Promise.all(asked)).toEqual([41, 42]);
});

test('a module that cannot be opened fails the request', async () => {
  const nowhere = new WriterThread(new URL('./testing/nowhere.thread.js', import.meta.url), {});
  await expect(nowhere.ask(1)).rejects.toThrow(StoreUnavailable);
  await nowhere.close();
});
