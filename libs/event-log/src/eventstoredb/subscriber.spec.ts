import { describe, expect, it } from '@jest/globals';
import type { Seen } from './recorded.js';
import { Subscriber } from './tail.js';

const { signal } = new AbortController();
const arrival = (position: number, bytes = 0) => ({ position, bytes }) as Seen;
const positions = (arrivals: readonly Seen[] | undefined) => arrivals?.map(({ position }) => position);

describe('a subscriber', () => {
  it('takes what has arrived in its order, at most as many as it asks for', async () => {
    const subscriber = new Subscriber();
    for (const position of [1, 2, 3]) subscriber.push(arrival(position));
    expect(positions(await subscriber.take(2, signal))).toEqual([1, 2]);
    expect(positions(await subscriber.take(2, signal))).toEqual([3]);
  });

  it('is behind when more than 4 MiB wait for it, and keeps none of that', async () => {
    const subscriber = new Subscriber();
    for (let n = 0; n < 4; n++) subscriber.push(arrival(n, 1024 * 1024));
    expect(positions(await subscriber.take(2, signal))).toEqual([0, 1]);
    for (let n = 4; n < 6; n++) subscriber.push(arrival(n, 1024 * 1024));
    expect(positions(await subscriber.take(1, signal))).toEqual([2]);
    for (let n = 6; n < 8; n++) subscriber.push(arrival(n, 1024 * 1024));
    expect(await subscriber.take(9, signal)).toBeUndefined();
    subscriber.push(arrival(8));
    expect(await subscriber.take(9, signal)).toBeUndefined();
  });

  it('throws why the subscription was lost', async () => {
    const subscriber = new Subscriber();
    const taking = subscriber.take(9, signal);
    subscriber.fallBehind(new Error('connection lost'));
    await expect(taking).rejects.toThrow('connection lost');
  });
});
