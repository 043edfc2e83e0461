import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StoreWriter } from './store-writer.js';

const writing = (module: URL) => new StoreWriter<unknown, number>({ name: 'sums', module, settings: { value: 40 } });

let sums: ReturnType<typeof writing>;

beforeEach(() => {
  sums = writing(new URL('./testing/sums.thread.js', import.meta.url));
});

afterEach(() => sums.close());

test('a thread that ends rejects the tasks that it had, and the next task starts a new one', async () => {
  const asked = await Promise.allSettled([sums.add(2), sums.add(-1)]);
  for (const each of asked) expect(each).toMatchObject({ reason: { name: 'StoreUnavailable' } });
  expect(await Promise.all([sums.add(1), sums.add(8)])).toEqual([41, 49]);
});

test('a task that cannot be sent is refused, and changes nothing', async () => {
  await expect(sums.add(() => 1)).rejects.toThrow('could not be cloned');
  expect(await sums.add(1)).toBe(41);
});

test('closing waits for the answers', async () => {
  const asked = [sums.add(1), sums.add(1)];
  await sums.close();
  expect(await Promise.all(asked)).toEqual([41, 42]);
});

test('a module that cannot be opened fails the task', async () => {
  const nowhere = writing(new URL('./testing/nowhere.thread.js', import.meta.url));
  await expect(nowhere.add(1)).rejects.toMatchObject({ name: 'StoreUnavailable', cause: expect.any(Error) });
  await nowhere.close();
});
