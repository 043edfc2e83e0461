import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { eventually } from '#testing';
import { Progress } from './progress.js';

const LONG = 600_000;

let store: InMemoryDocumentStore;
let progress: Progress;

beforeEach(() => {
  store = new InMemoryDocumentStore();
  progress = new Progress(store);
});

const checkpoint = (name: string, position: number) => store.write([], { name, position, fence: 1 });

describe('the position of a runner', () => {
  it('is what it reported, where it runs in this process', async () => {
    await checkpoint('lists', 3);
    progress.report('lists', 9);
    expect(await progress.of('lists')).toBe(9);
  });

  it('is its checkpoint, where it runs elsewhere', async () => {
    await checkpoint('lists', 3);
    expect(await progress.of('lists')).toBe(3);
    progress.report('lists', 9);
    progress.forget('lists');
    expect(await progress.of('lists')).toBe(3);
  });

  it('is 0 where it has never run', async () => {
    expect(await progress.of('lists')).toBe(0);
  });
});

describe('waiting', () => {
  it('ends at once for what has been passed', async () => {
    await checkpoint('elsewhere', 5);
    progress.report('here', 6);
    expect(await progress.passed(['here', 'elsewhere'], 5, 0)).toBe(true);
    expect(await progress.passed([], 5, 0)).toBe(true);
  });

  it('ends when the last of the runners has passed, here or elsewhere', async () => {
    progress.report('here', 1);
    const waiting = progress.passed(['here', 'elsewhere'], 5, LONG);
    await checkpoint('elsewhere', 7);
    let isOver = false;
    void waiting.then(() => {
      isOver = true;
    });
    progress.report('here', 4);
    await turn();
    expect(isOver).toBe(false);
    progress.report('here', 5);
    expect(await waiting).toBe(true);
  });

  it('is told the truth when the time is over', async () => {
    progress.report('here', 4);
    expect(await progress.passed(['here'], 5, 5)).toBe(false);
    expect(await progress.passed(['elsewhere'], 5, 5)).toBe(false);
    expect(await progress.passed(['here'], 5, 0)).toBe(false);
  });

  it.each(Array.from({ length: 12 }, (_, ticks) => ticks))(
    'does not miss a report that comes %i microtasks after it began to look',
    async (ticks) => {
      progress.report('here', 1);
      const waiting = progress.passed(['here'], 5, LONG);
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      progress.report('here', 5);
      expect(await waiting).toBe(true);
    },
  );

  it('goes on by the checkpoint when another process takes over the runner', async () => {
    progress.report('lists', 1);
    const waiting = progress.passed(['lists'], 5, LONG);
    await turn();
    progress.forget('lists');
    await checkpoint('lists', 5);
    expect(await waiting).toBe(true);
  });

  it('asks the store once for many who wait for a runner elsewhere', async () => {
    let asked = 0;
    const read = store.checkpoint.bind(store);
    store.checkpoint = async (name) => {
      asked++;
      await turn();
      return read(name);
    };
    const waiting = Promise.all(Array.from({ length: 100 }, () => progress.passed(['elsewhere'], 5, LONG)));
    await eventually(() => asked === 3);
    await checkpoint('elsewhere', 5);
    expect(await waiting).toEqual(Array(100).fill(true));
    expect(asked).toBeLessThan(50);
  });

  it('leaves no listener behind', async () => {
    let heard = 0;
    const stop = progress.onReport(() => {
      heard++;
    });
    progress.report('here', 1);
    stop();
    progress.report('here', 2);
    expect(heard).toBe(1);
    const waiting = progress.passed(['here'], 3, 5);
    await eventually(async () => !(await waiting));
    expect(Reflect.get(progress, 'listeners')).toEqual(new Set());
  });

  it('is told when the store is broken', async () => {
    store.checkpoint = () => Promise.reject(new Error('on fire'));
    await expect(progress.passed(['elsewhere'], 1, LONG)).rejects.toThrow('on fire');
  });
});
