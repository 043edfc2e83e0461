import { describe, expect, it } from '@jest/globals';
import { MongoNetworkError, MongoNetworkTimeoutError } from 'mongodb';
import { StoreUnavailable } from '#kernel';
import { clientTo } from './client.js';
import type { Work } from './retries.js';
import { once, repeatingFor } from './retries.js';

const timeout = new MongoNetworkTimeoutError('timed out');
const broken = new MongoNetworkError('closed');

/** Runs a task that fails `failures` times; returns its attempts, the waits between them and the result. */
const tried = async (work: Work, error: Error, failures: number) => {
  const repeats: boolean[] = [];
  const task = async (isRepeat: boolean) => {
    repeats.push(isRepeat);
    if (repeats.length <= failures) throw error;
    return 'done';
  };
  const waits: number[] = [];
  const pause = async (wait: number) => waits.push(wait);
  const result = await repeatingFor(work, pause)(task).catch((reason: unknown) => reason);
  return { repeats, waits, result: result instanceof StoreUnavailable ? 'unavailable' : result };
};

describe('a request', () => {
  it('is repeated after a broken connection, at most twice, and knows that it is a repeat', async () => {
    expect(await tried('requests', broken, 2)).toEqual({
      repeats: [false, true, true],
      waits: [50, 250],
      result: 'done',
    });
    expect(await tried('requests', broken, 3)).toMatchObject({ repeats: [false, true, true], result: 'unavailable' });
  });

  it('is not repeated after a timeout: its caller has waited long enough', async () => {
    expect(await tried('requests', timeout, 1)).toMatchObject({ repeats: [false], result: 'unavailable' });
  });
});

describe('background work', () => {
  it('is repeated after a timeout', async () => {
    expect(await tried('background', timeout, 3)).toMatchObject({ repeats: [false, true, true, true], result: 'done' });
  });

  it('gives up in the end', async () => {
    expect(await tried('background', timeout, 9)).toMatchObject({
      waits: [50, 250, 1_000, 5_000],
      result: 'unavailable',
    });
  });

  it('waits longer for each answer than a request', async () => {
    const [request, background] = [
      clientTo('mongodb://127.0.0.1:1', 'requests'),
      clientTo('mongodb://127.0.0.1:1', 'background'),
    ];
    for (const timeout of [
      'socketTimeoutMS',
      'waitQueueTimeoutMS',
      'serverSelectionTimeoutMS',
      'connectTimeoutMS',
    ] as const) {
      expect(background.options[timeout]).toBeGreaterThan(request.options[timeout] ?? Number.NaN);
    }
    await Promise.all([request.close(), background.close()]);
  });
});

it('what must not be done twice is tried once', async () => {
  let tries = 0;
  const task = async () => {
    tries++;
    throw broken;
  };
  await expect(once(task)).rejects.toThrow(StoreUnavailable);
  expect(tries).toBe(1);
});
