import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, type Duration, Fenced, HOUR, MINUTE, SECOND, taskOf, WORKER_LEASE } from '#kernel';
import { FakeClock, Gate } from '#testing';
import { workspaceId } from '../../../kernel/src/deciding/tally.fixtures.js';
import { dueStore, queueOf, START as START_OF_ITEMS, Tasks, Worker } from './task-queue.fixtures.js';

const START = 1_767_225_600_000;
const YEAR = 365 * DAY;

const wrongBy = fc.constantFrom(-YEAR, -HOUR, -11 * MINUTE, -MINUTE, 0, MINUTE, 11 * MINUTE, HOUR, YEAR);

/** Runs one task every `wait` by a clock that jumps; returns when it ran, by the time that has really passed. */
const looksOf = async (
  wait: Duration,
  step: Duration,
  steps: number,
  wrong: Duration,
  jumping: readonly { readonly step: number; readonly by: Duration }[],
): Promise<Duration[]> => {
  const store = await dueStore();
  const item = taskOf('walk', 'a', workspaceId, START - 2 * YEAR, { id: 'e1', correlationId: 'req_1' });
  await store.write([{ collection: 'due', put: [{ ...item, position: 3 } as typeof item] }]);
  const clock = new FakeClock(START + wrong);
  const looks: Duration[] = [];
  let passed = 0;
  let seen = clock.elapsed();
  // Decides as a stream does: it is time when the wait has passed by the monotonic clock.
  const look = async () => {
    const rest = looks.length === 0 ? 0 : seen + wait - clock.elapsed();
    if (rest > 0) return { retryAt: clock.now() + rest };
    looks.push(passed);
    seen = clock.elapsed();
    return { retryAt: clock.now() + wait };
  };
  const jobs = { walk: { concurrency: 1, longestWait: wait, command: () => look } };
  const queue = queueOf(store, jobs, clock);
  for (let n = 0; n < steps; n++, passed += step) {
    for (const { step: at, by } of jumping) if (at === n) clock.jump(by);
    await queue.runDue(clock.now());
    clock.advance(step);
  }
  return looks;
};

it('D93: with a wall clock that jumps, work that waits up to ten minutes goes on within its wait', () =>
  fc.assert(
    fc.asyncProperty(
      wrongBy,
      fc.array(fc.record({ step: fc.nat(90), by: wrongBy }), { maxLength: 6 }),
      async (wrong, jumping) => {
        const looks = await looksOf(10 * MINUTE, MINUTE, 90, wrong, jumping);
        for (const [n, at] of looks.entries()) {
          expect((looks[n + 1] ?? 90 * MINUTE) - at).toBeLessThanOrEqual(11 * MINUTE);
        }
        expect(looks.length).toBeGreaterThanOrEqual(8);
        expect(looks.length).toBeLessThanOrEqual(9 + jumping.length);
      },
    ),
    { numRuns: 60 },
  ));

it('D93: longer waits cost at most one more wait', () =>
  fc.assert(
    fc.asyncProperty(
      wrongBy,
      fc.array(fc.record({ step: fc.nat(90), by: wrongBy }), { maxLength: 1 }),
      async (wrong, jumping) => {
        const looks = await looksOf(HOUR, 5 * MINUTE, 90, wrong, jumping);
        for (const [n, at] of looks.entries()) {
          expect((looks[n + 1] ?? 90 * 5 * MINUTE) - at).toBeLessThanOrEqual(2 * HOUR + 5 * MINUTE);
        }
      },
    ),
    { numRuns: 60 },
  ));

it('D93: a task runs one time in its longest wait, however wrong the clock is', async () => {
  const looks = await looksOf(10 * MINUTE, SECOND, 30, 0, [{ step: 2, by: -YEAR }]);
  expect(looks).toEqual([0]);
});

it('moves no time for a former leader, neither a false one nor after the clock was set back', async () => {
  const due = await Tasks.open();
  const times = [START_OF_ITEMS + 10 * DAY, START_OF_ITEMS + MINUTE];
  for (const [n, time] of times.entries()) await due.makeDue('scan', `s${n}`, time);
  for (const [n, holder] of ['former', 'leader'].entries()) await due.store.acquireLease(WORKER_LEASE, holder, n, n);
  const queue = due.queue([new Worker('scan', due.settling)]);
  const ready = new Gate();
  queue.start(ready.opened, 1);
  await expect(queue.runDue(START_OF_ITEMS)).rejects.toThrow(Fenced);
  due.clock.jump(-HOUR);
  await expect(queue.runDue(due.clock.now())).rejects.toThrow(Fenced);
  expect((await Promise.all(times.map((_, n) => due.stored(`scan-s${n}`)))).map((item) => item?.readyAt)).toEqual(
    times,
  );
  const stopped = queue.stop();
  ready.open();
  await stopped;
});

it('after a rebuild, walks that were due long ago are spread over their wait, and others are run immediately', async () => {
  const store = await dueStore();
  const clock = new FakeClock(START);
  const cause = { id: 'e1', correlationId: 'req_1' };
  const put = Array.from({ length: 200 }, (_, n) =>
    taskOf(n % 2 === 0 ? 'walk' : 'poll', `crt_${n}`, workspaceId, START - 2 * HOUR, cause),
  );
  const recent = taskOf('walk', 'recent', workspaceId, START - HOUR, cause);
  await store.write([{ collection: 'due', put: [...put, recent].map((item) => ({ ...item, position: 3 })) }]);
  const looks = new Map<string, Duration>();
  const look = (subject: string) => async () => {
    looks.set(subject, clock.now() - START);
    return { retryAt: clock.now() + HOUR };
  };
  const job = { concurrency: 500, longestWait: HOUR, command: ({ subject }: { subject: string }) => look(subject) };
  const jobs = { walk: { ...job, isSpread: true as const }, poll: job };
  const queue = queueOf(store, jobs, clock);
  const seen: number[] = [];
  for (let quarter = 0; quarter < 4; quarter++) {
    for (let minute = 0; minute < 15; minute++) {
      await queue.runDue(clock.now());
      clock.advance(MINUTE);
    }
    seen.push(looks.size);
  }
  expect(looks.get('recent')).toBe(0);
  // 100 polls and the recent walk, and then about 25 of the 100 others in each quarter of an hour.
  for (const [quarter, count] of seen.entries()) expect(Math.abs(count - 101 - 25 * (quarter + 1))).toBeLessThan(15);
});
