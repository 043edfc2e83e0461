import { afterEach, expect, it } from '@jest/globals';
import { answered, pageOf, ScriptedService } from '../scripted-service.fixtures.js';

const LONGEST = 2 ** 31 - 1;
const DAY = 86_400_000;
const { setTimeout: start } = globalThis;

afterEach(() => {
  globalThis.setTimeout = start;
});

/** The times of the timers that are started from now on, of which those of days end immediately. */
const timersFromNow = (): number[] => {
  const times: number[] = [];
  const started = (end: () => void, time = 0) => {
    times.push(time);
    return start(end, time > DAY ? 0 : time);
  };
  globalThis.setTimeout = started as typeof setTimeout;
  return times;
};

it.each([30 * DAY, 2 ** 31, Number.POSITIVE_INFINITY])(
  'a poll interval of %d ms is a wait of the longest time that a timer can have (D117)',
  async (pollInterval) => {
    const controller = new AbortController();
    const service = new ScriptedService(pageOf([], null), pageOf([{ id: 'e1' }], null));
    const times = timersFromNow();
    const feed = service.client().events.follow({ pollInterval, signal: controller.signal });
    for await (const _ of feed) controller.abort();
    expect(times.filter((time) => time > DAY)).toEqual([LONGEST]);
  },
);

it('a timeout of a month is the longest time that a timer can have (D117)', async () => {
  const times = timersFromNow();
  const service = new ScriptedService(answered({ id: 1 }));
  await service.client().connection.get({ timeout: 31 * DAY, deadline: 32 * DAY });
  expect(times).toEqual([LONGEST]);
});
