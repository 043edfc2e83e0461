import { expect, test } from '@jest/globals';
import { InvalidAppend } from '#kernel';
import { event, events, ids } from './given-events.js';
import type { Opened } from './opened-event-log.js';

export function repeating(opened: Opened): void {
  test('a repeated first append gives the first result', async () => {
    const { log } = opened();
    const some = events(3);
    const first = await log.append('thing-1', 'none', some);
    expect(await log.append('thing-1', 'none', some)).toEqual(first);
    expect(ids(await log.readStream('thing-1'))).toEqual(ids(some));
  });

  test('a repeated append at a revision gives the first result, also after others', async () => {
    const { log } = opened();
    const some = events(2);
    await log.append('thing-1', 'none', [event()]);
    const first = await log.append('thing-1', 0, some);
    await log.append('thing-1', 2, [event()]);
    expect(await log.append('thing-1', 0, some)).toEqual(first);
    expect(await log.readStream('thing-1')).toHaveLength(4);
  });

  test('a repeat in the same breath gives the first result', async () => {
    const { log } = opened();
    const some = events(2);
    const results = await Promise.all([1, 2, 3].map(() => log.append('thing-1', 'none', some)));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(await log.readStream('thing-1')).toHaveLength(2);
  });

  test('refuses an append that repeats only a part of the stored events', async () => {
    const { log } = opened();
    const known = event();
    await log.append('thing-1', 'none', [known]);
    await expect(log.append('thing-1', 'none', [known, event()])).rejects.toBeInstanceOf(InvalidAppend);
    await expect(log.append('thing-1', 'none', [event(), known])).rejects.toBeInstanceOf(InvalidAppend);
    expect(ids(await log.readStream('thing-1'))).toEqual([known.id]);
  });

  test('refuses the same events in another order', async () => {
    const { log } = opened();
    const some = events(2);
    await log.append('thing-1', 'none', some);
    await expect(log.append('thing-1', 'none', some.toReversed())).rejects.toBeInstanceOf(InvalidAppend);
  });

  test('refuses one id twice in one append', async () => {
    const { log } = opened();
    const twice = event();
    await expect(log.append('thing-1', 'none', [twice, twice])).rejects.toBeInstanceOf(InvalidAppend);
    expect(await log.readStream('thing-1')).toEqual([]);
  });
}

/** For stores that know an event id in the whole log rather than only in its own stream. */
export function repeatingElsewhere(opened: Opened): void {
  test('refuses an id that another stream has used, with all of its append', async () => {
    const { log } = opened();
    const known = event();
    await log.append('thing-1', 'none', [known]);
    await expect(log.append('thing-2', 'none', [event(), known])).rejects.toBeInstanceOf(InvalidAppend);
    expect(await log.readStream('thing-2')).toEqual([]);
  });

  test('refuses an id that the stream has used at another revision', async () => {
    const { log } = opened();
    const known = event();
    await log.append('thing-1', 'none', [known]);
    await expect(log.append('thing-1', 0, [event(), known])).rejects.toBeInstanceOf(InvalidAppend);
    await expect(log.append('thing-1', 'any', [event(), known])).rejects.toBeInstanceOf(InvalidAppend);
    expect(await log.readStream('thing-1')).toHaveLength(1);
  });

  test('continues without any effect after an id was refused', async () => {
    const { log } = opened();
    const known = event();
    const before = await log.append('thing-1', 'none', [known]);
    const verdicts = await Promise.allSettled([
      log.append('thing-2', 'none', [event(), event(), known]),
      log.append('thing-2', 'none', [event()]),
      log.append('thing-1', 0, [event()]),
    ]);
    expect(verdicts.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(await log.readStream('thing-2')).toHaveLength(1);
    expect((await log.readLog({ after: before.position })).events).toHaveLength(2);
  });
}
