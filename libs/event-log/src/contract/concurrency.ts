import { expect, test } from '@jest/globals';
import { type StreamName, WrongExpectedRevision } from '#kernel';
import { event, events, revisions } from './given-events.js';
import type { Opened } from './opened-event-log.js';

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

export function concurrency(opened: Opened): void {
  test('exactly one of many first appends wins', async () => {
    const { log } = opened();
    const contenders = times(40, () => event());
    const verdicts = await Promise.allSettled(contenders.map((one) => log.append('thing-1', 'none', [one])));
    const winners = contenders.filter((_, n) => verdicts[n]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await log.readStream('thing-1')).toMatchObject([{ id: winners[0]?.id }]);
    for (const verdict of verdicts) {
      if (verdict.status === 'rejected') expect(verdict.reason).toBeInstanceOf(WrongExpectedRevision);
    }
  });

  test('exactly one of many appends at a revision wins', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(2));
    const verdicts = await Promise.allSettled(times(20, () => log.append('thing-1', 1, events(2))));
    expect(verdicts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(revisions(await log.readStream('thing-1'))).toEqual([0, 1, 2, 3]);
  });

  test('a refusal in a burst concerns the refused append only', async () => {
    const { log } = opened();
    await log.append('thing-0', 'none', [event()]);
    const verdicts = await Promise.allSettled(
      times(30, (n) => log.append(n % 3 === 0 ? 'thing-0' : `thing-${n}`, 'none', [event({ n })])),
    );
    expect(verdicts.map(({ status }) => status)).toEqual(times(30, (n) => (n % 3 === 0 ? 'rejected' : 'fulfilled')));
    expect(await log.readStream('thing-0')).toHaveLength(1);
    for (const n of [1, 2, 28, 29]) expect(await log.readStream(`thing-${n}`)).toMatchObject([{ data: { n } }]);
  });

  test('appends to any revision all happen, each whole', async () => {
    const { log } = opened();
    const results = await Promise.all(times(30, (n) => log.append('thing-1', 'any', [event({ n }), event({ n })])));
    const stored = await log.readStream('thing-1');
    expect(revisions(stored)).toEqual(times(60, (n) => n));
    expect(results.map(({ revision }) => revision).sort((a, b) => a - b)).toEqual(times(30, (n) => 2 * n + 1));
    for (const [n, { revision }] of results.entries()) {
      expect(stored.slice(revision - 1, revision + 1)).toMatchObject([{ data: { n } }, { data: { n } }]);
    }
  });

  test('writers of many streams do not disturb each other', async () => {
    const { log } = opened();
    const write = async (stream: StreamName) => {
      for (let n = 0; n < 10; n++) await log.append(stream, n === 0 ? 'none' : n - 1, [event({ n })]);
    };
    await Promise.all(times(20, (n) => write(`thing-${n}`)));
    for (let n = 0; n < 20; n++) {
      expect(revisions(await log.readStream(`thing-${n}`))).toEqual(times(10, (revision) => revision));
    }
  });
}
