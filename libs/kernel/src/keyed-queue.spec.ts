import { expect, it } from '@jest/globals';
import { Gate, settled } from '#testing';
import { KeyedQueue } from './keyed-queue.js';

it('runs the tasks of one key one after another, in the order of their arrival', async () => {
  const queue = new KeyedQueue();
  const gate = new Gate();
  const order: string[] = [];
  const run = (name: string, until?: Promise<void>) =>
    queue.run('a', async () => {
      order.push(`${name} begins`);
      await until;
      order.push(`${name} ends`);
      return name;
    });
  const all = Promise.all([run('first', gate.opened), run('second'), run('third')]);
  await settled();
  expect(order).toEqual(['first begins']);
  gate.open();
  expect(await all).toEqual(['first', 'second', 'third']);
  expect(order.filter((line) => line.endsWith('begins'))).toEqual(['first begins', 'second begins', 'third begins']);
  expect(order.indexOf('second begins')).toBe(order.indexOf('first ends') + 1);
});

it('runs those of different keys side by side', async () => {
  const queue = new KeyedQueue();
  const gate = new Gate();
  const held = queue.run('a', () => gate.opened);
  expect(await queue.run('b', async () => 'at once')).toBe('at once');
  gate.open();
  await held;
});

it('goes on after a task that fails, and tells only its own caller', async () => {
  const queue = new KeyedQueue();
  const failed = queue.run('a', () => Promise.reject(new Error('only mine')));
  const next = queue.run('a', async () => 'fine');
  await expect(failed).rejects.toThrow('only mine');
  expect(await next).toBe('fine');
  expect(await queue.run('a', async () => 'later')).toBe('later');
});
