import { describe, expect, it } from '@jest/globals';
import { eventually, Gate, settled } from '#testing';
import { UnknownCollection } from '../stores/document-store.js';
import { StoreUnavailable } from '../stores/event-log.js';
import { KeyedMutex } from './keyed-mutex.js';

it('runs the tasks of one key one after another, in the order of their arrival', async () => {
  const queue = new KeyedMutex();
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

it('runs tasks of different keys concurrently', async () => {
  const queue = new KeyedMutex();
  const gate = new Gate();
  const held = queue.run('a', () => gate.opened);
  expect(await queue.run('b', async () => 'immediately')).toBe('immediately');
  gate.open();
  await held;
});

it('continues after a task that fails, and rejects only for its caller', async () => {
  const queue = new KeyedMutex();
  const failed = queue.run('a', () => Promise.reject(new Error('only mine')));
  const next = queue.run('a', async () => 'fine');
  await expect(failed).rejects.toThrow('only mine');
  expect(await next).toBe('fine');
  expect(await queue.run('a', async () => 'later')).toBe('later');
});

describe('while a store cannot be reached', () => {
  const asking = async (queue: KeyedMutex, waiters: number) => {
    const gate = new Gate();
    let asked = 0;
    const ask = async () => {
      asked++;
      await gate.opened;
      throw new StoreUnavailable('gone');
    };
    const waiting = Array.from({ length: waiters }, () => queue.run('a', ask));
    const since = performance.now();
    await eventually(() => performance.now() > since + 2);
    gate.open();
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
    }
    return asked;
  };

  it('a task that has waited long fails too, and a later task runs', async () => {
    const queue = new KeyedMutex(1);
    expect(await asking(queue, 5)).toBe(1);
    expect(await asking(queue, 1)).toBe(1);
    expect(await queue.run('a', async () => 'back')).toBe('back');
  });

  it('a task that has just arrived runs', async () => {
    expect(await asking(new KeyedMutex(60_000), 5)).toBe(5);
  });
});

it('continues after a missing collection', async () => {
  const queue = new KeyedMutex(-1);
  const failed = queue.run('a', () => Promise.reject(new UnknownCollection('cases')));
  const next = queue.run('a', async () => 'fine');
  await expect(failed).rejects.toThrow('cases');
  expect(await next).toBe('fine');
});
