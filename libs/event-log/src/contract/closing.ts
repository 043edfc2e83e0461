import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '#kernel';
import { event, events } from './given-events.js';
import type { Opened } from './opened-event-log.js';

export function closing(opened: Opened): void {
  test('settles the appends in progress', async () => {
    const { log, reopen } = opened();
    const underWay = [1, 2, 3].map((n) => log.append(`thing-${n}`, 'none', events(2)));
    await log.close();
    const results = await Promise.all(underWay);
    expect(results.map(({ revision }) => revision)).toEqual([1, 1, 1]);
    if (reopen) expect(await (await reopen()).readStream('thing-3')).toHaveLength(2);
  });

  test('every later call is refused as unavailable', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', [event()]);
    await log.close();
    for (const asked of [
      () => log.append('thing-1', 'any', [event()]),
      () => log.readStream('thing-1'),
      () => log.readLog({ after: 0 }),
      () => log.head(),
    ]) {
      await expect(asked()).rejects.toBeInstanceOf(StoreUnavailable);
    }
  });

  test('ends followers, waiting and reading', async () => {
    const { log } = opened();
    const { signal } = new AbortController();
    const { position } = await log.append('thing-1', 'none', events(3));
    const waiting = log.follow({ after: position, signal })[Symbol.asyncIterator]();
    const reading = log.follow({ after: 0, limit: 1, signal })[Symbol.asyncIterator]();
    await reading.next();
    const ends = [waiting.next(), reading.next()];
    await log.close();
    for (const end of ends) expect((await end).done).toBe(true);
    expect((await reading.next()).done).toBe(true);
  });

  test('may be closed twice, also concurrently', async () => {
    const { log } = opened();
    await Promise.all([log.close(), log.close()]);
    await log.close();
  });
}
