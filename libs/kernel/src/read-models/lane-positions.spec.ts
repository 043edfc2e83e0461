import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, InMemoryDocumentStore } from '#testing';
import { LanePositions } from './lane-positions.js';

const LONG = 600_000;

let store: InMemoryDocumentStore;
let progress: LanePositions;

beforeEach(() => {
  store = new InMemoryDocumentStore();
  progress = new LanePositions(store);
});

const checkpoint = (name: string, position: number) => store.write([], { name, position, fence: 1 });

describe('the position of a runner', () => {
  it('is the reported one if the runner is in this process', async () => {
    await checkpoint('lists', 3);
    progress.report('lists', 9);
    expect(await progress.of('lists')).toBe(9);
  });

  it('is the checkpoint if the runner is in another process', async () => {
    await checkpoint('lists', 3);
    expect(await progress.of('lists')).toBe(3);
    progress.report('lists', 9);
    progress.forget('lists');
    expect(await progress.of('lists')).toBe(3);
  });
});

describe('a wait', () => {
  it('ends immediately for a position that was passed', async () => {
    await checkpoint('elsewhere', 5);
    progress.report('here', 6);
    expect(await progress.waitForPosition(['here', 'elsewhere'], 5, 0)).toBe(true);
    expect(await progress.waitForPosition([], 5, 0)).toBe(true);
  });

  it('ends by its signal, however long it would wait', async () => {
    const stopping = new AbortController();
    const elapsed = () => 0;
    const forever = Number.POSITIVE_INFINITY;
    const waiting = new LanePositions(store, elapsed).waitForPosition(
      ['elsewhere'],
      5,
      forever,
      forever,
      stopping.signal,
    );
    stopping.abort();
    await expect(waiting).rejects.toThrow('aborted');
    await expect(new LanePositions(store).waitForPosition([], 5, 0, forever, stopping.signal)).rejects.toThrow(
      'aborted',
    );
    await expect(progress.waitForOwn('elsewhere', 5, stopping.signal)).rejects.toThrow('aborted');
  });

  it('ends when the last of the runners has passed, in any process', async () => {
    progress.report('here', 1);
    const waiting = progress.waitForPosition(['here', 'elsewhere'], 5, LONG);
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

  it('resolves to false after the timeout, and to true for a position that was passed', async () => {
    progress.report('here', 4);
    expect(await progress.waitForPosition(['here'], 5, 5)).toBe(false);
    expect(await progress.waitForPosition(['elsewhere'], 5, 5)).toBe(false);
    expect(await progress.waitForPosition(['here'], 5, 0)).toBe(false);
  });

  it.each(Array.from({ length: 12 }, (_, ticks) => ticks))(
    'does not miss a report that comes %i microtasks after it began to look',
    async (ticks) => {
      progress.report('here', 1);
      const waiting = progress.waitForPosition(['here'], 5, LONG);
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      progress.report('here', 5);
      expect(await waiting).toBe(true);
    },
  );

  it('reads the checkpoint after another process has taken over the runner', async () => {
    progress.report('lists', 1);
    const waiting = progress.waitForPosition(['lists'], 5, LONG);
    await turn();
    progress.forget('lists');
    await checkpoint('lists', 5);
    expect(await waiting).toBe(true);
  });

  it('shares one read of the checkpoint among all waiters', async () => {
    let asked = 0;
    const read = store.checkpoint.bind(store);
    store.checkpoint = async (name) => {
      asked++;
      await turn();
      return read(name);
    };
    const waiting = Promise.all(Array.from({ length: 100 }, () => progress.waitForPosition(['elsewhere'], 5, LONG)));
    await eventually(() => asked === 3);
    await checkpoint('elsewhere', 5);
    expect(await waiting).toEqual(Array(100).fill(true));
    expect(asked).toBeLessThan(50);
  });

  it('removes its listener', async () => {
    let heard = 0;
    const stop = progress.onReport(() => {
      heard++;
    });
    progress.report('here', 1);
    stop();
    progress.report('here', 2);
    expect(heard).toBe(1);
    const waiting = progress.waitForPosition(['here'], 3, 5);
    await eventually(async () => !(await waiting));
    expect(Reflect.get(progress, 'listeners')).toEqual(new Set());
  });

  it('rejects if the store fails', async () => {
    store.checkpoint = () => Promise.reject(new Error('on fire'));
    await expect(progress.waitForPosition(['elsewhere'], 1, LONG)).rejects.toThrow('on fire');
  });
});

describe('waiting for an answer (D68)', () => {
  const SECOND = 1_000;
  const STALLED = 5 * SECOND;
  let now: number;

  beforeEach(() => {
    now = 0;
    progress = new LanePositions(store, () => now);
  });

  it('ends after two seconds', async () => {
    progress.report('here', 4);
    const waiting = progress.waitForPositionBriefly(['here'], 5);
    now += 2 * SECOND;
    progress.report('other', 1);
    expect(await waiting).toBe(false);
  });

  it.each([
    ['here', () => progress.report('views', 4)],
    ['elsewhere', () => checkpoint('views', 4)],
  ])(
    'does not wait for a runner %s that lacks what the tail had passed five seconds before, though it advances',
    async (_, stand) => {
      await stand();
      progress.tailPassed(5);
      now += 5 * SECOND;
      progress.tailPassed(6);
      expect(await progress.waitForPositionBriefly(['views'], 6)).toBe(false);
      progress.report('views', 4.5);
      expect(await progress.waitForPositionBriefly(['views'], 6)).toBe(false);
      progress.report('views', 5);
      const waiting = progress.waitForPositionBriefly(['views'], 6);
      progress.report('views', 6);
      expect(await waiting).toBe(true);
    },
  );

  it('waits for a runner that lacks only what the tail has passed since, however often it reports', async () => {
    for (let position = 1; position <= 100; position++) {
      progress.tailPassed(position);
      now += 60;
    }
    now -= 60;
    progress.report('views', 20);
    const waiting = progress.waitForPositionBriefly(['views'], 100);
    progress.report('views', 100);
    expect(await waiting).toBe(true);
    expect(Reflect.get(progress, 'tail').length).toBeLessThan(60);
  });

  it('still waits for the other runners', async () => {
    progress.report('stuck', 4);
    progress.tailPassed(4.5);
    now += 5 * SECOND;
    progress.report('here', 4.5);
    let isOver = false;
    const waiting = progress.waitForPositionBriefly(['stuck', 'here'], 5).then(() => {
      isOver = true;
    });
    await turn();
    expect(isOver).toBe(false);
    progress.report('here', 5);
    await waiting;
  });

  it('waits for a runner that is behind but advances, and for one that was idle', async () => {
    progress.report('views', 4);
    expect(await progress.waitForPosition(['views'], 9, 0, STALLED)).toBe(false);
    now += 4 * SECOND;
    progress.report('views', 5);
    expect(await progress.waitForPosition(['views'], 9, 0, STALLED)).toBe(false);
    now += 4 * SECOND;
    expect(progress.isStalled('views')).toBe(false);
    progress.report('views', 9);
    progress.tailPassed(9);
    expect(await progress.waitForPosition(['views'], 9, 0, STALLED)).toBe(true);
    now += 3_600 * SECOND;
    const waiting = progress.waitForPositionBriefly(['views'], 10);
    progress.report('views', 10);
    expect(await waiting).toBe(true);
  });

  it('calls no runner stalled that has passed what was asked for', async () => {
    progress.report('views', 4);
    expect(await progress.waitForPosition(['views'], 9, 0, STALLED)).toBe(false);
    now += 5 * SECOND;
    progress.report('views', 9);
    expect(await progress.waitForPosition(['views'], 9, 0, STALLED)).toBe(true);
    expect(progress.isStalled('views')).toBe(false);
  });

  it('by a number of milliseconds, waits for a runner until it has not advanced for that long, but not any longer', async () => {
    progress.report('stuck', 4);
    progress.report('here', 4);
    expect(await progress.waitForPosition(['stuck', 'here'], 5, 0, SECOND)).toBe(false);
    now += SECOND;
    progress.report('here', 4.5);
    let isOver = false;
    const waiting = progress.waitForPosition(['stuck', 'here'], 5, LONG, SECOND).finally(() => {
      isOver = true;
    });
    await turn();
    expect(isOver).toBe(false);
    progress.report('here', 5);
    expect(await waiting).toBe(false);
  });
});
