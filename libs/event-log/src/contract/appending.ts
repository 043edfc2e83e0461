import { expect, test } from '@jest/globals';
import { WrongExpectedRevision } from '#kernel';
import { events, ids, revisions } from './given-events.js';
import type { Opened } from './opened-event-log.js';

export function appending(opened: Opened): void {
  test('counts the revisions of a stream from 0', async () => {
    const { log } = opened();
    const first = await log.append('thing-1', 'none', events(3));
    const second = await log.append('thing-1', 2, events(2));
    expect([first.revision, second.revision]).toEqual([2, 4]);
    expect(revisions(await log.readStream('thing-1'))).toEqual([0, 1, 2, 3, 4]);
  });

  test('gives growing, safe positions, the last of which is the head', async () => {
    const { log } = opened();
    const first = await log.append('thing-1', 'none', events(2));
    const second = await log.append('thing-2', 'none', events(1));
    expect(second.position).toBeGreaterThan(first.position);
    expect(Number.isSafeInteger(second.position)).toBe(true);
    expect(await log.head()).toBeGreaterThanOrEqual(second.position);
    const [, last] = await log.readStream('thing-1');
    expect(last?.position).toBe(first.position);
  });

  test('refuses an append that expects no stream if it exists, and names its revision', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(2));
    const refused = log.append('thing-1', 'none', events(1));
    await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevision);
    await expect(refused).rejects.toMatchObject({ stream: 'thing-1', expected: 'none', actual: 1 });
    expect(await log.readStream('thing-1')).toHaveLength(2);
  });

  test.each([
    ['behind', 0],
    ['ahead', 2],
  ])('refuses an expected revision that is %s', async (_, expected) => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(2));
    await expect(log.append('thing-1', expected, events(1))).rejects.toMatchObject({ expected, actual: 1 });
    expect(await log.readStream('thing-1')).toHaveLength(2);
  });

  test('refuses a revision of a stream that does not exist', async () => {
    const refused = opened().log.append('thing-1', 0, events(1));
    await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevision);
    await expect(refused).rejects.toMatchObject({ expected: 0, actual: -1 });
  });

  test('appends to any revision, of a new stream too', async () => {
    const { log } = opened();
    expect((await log.append('thing-1', 'any', events(2))).revision).toBe(1);
    expect((await log.append('thing-1', 'any', events(1))).revision).toBe(2);
  });

  test('appended events are there after the log was closed', async () => {
    const { log, reopen } = opened();
    if (!reopen) return;
    const some = events(3);
    await log.append('thing-1', 'none', some);
    await log.close();
    const again = await reopen();
    expect(ids(await again.readStream('thing-1'))).toEqual(ids(some));
    expect((await again.append('thing-1', 2, events(1))).revision).toBe(3);
  });
}
