import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CommandRunner, ConsistencyToken, type Decider, derivedId, type EventLog } from '#kernel';
import { FakeClock } from '#testing';
import { temporaryLog } from './testing/temporary-log.js';

interface Added {
  readonly type: 'tally.added.v1';
  readonly data: { readonly by: number };
}

const decider: Decider<number, Added> = { category: 'tally', initial: 0, evolve: (sum, { data }) => sum + data.by };
const context = () => ({
  actor: 'test',
  correlationId: 'req',
  causationId: null,
  workspaceId: derivedId('workspace', 'lumen'),
  consistencyToken: new ConsistencyToken(),
});

/** As with personal data, whose keys are fetched before a read is answered. */
const answeringLate = (log: EventLog, wait: () => number): EventLog => ({
  append: (...append) => log.append(...append),
  readStream: async (...read) => {
    const events = await log.readStream(...read);
    if (wait() > 0) await delay(wait());
    return events;
  },
  changesSince: (after) => log.changesSince?.(after),
  readLog: (options) => log.readLog(options),
  follow: (options) => log.follow(options),
  head: () => log.head(),
  close: () => log.close(),
});

it('a load includes all that any process had appended before it, however slowly reads are answered', async () => {
  const step = fc.record({
    does: fc.constantFrom('add', 'load', 'add and load'),
    process: fc.nat(1),
    stream: fc.constantFrom('a', 'b'),
    wait: fc.nat(4),
    awaited: fc.boolean(),
  });
  const temporary = await temporaryLog();
  let [late, run] = [0, 0];
  const runners = [temporary.open(), temporary.open()].map(
    (log) =>
      new CommandRunner(
        answeringLate(log, () => late),
        new FakeClock(1),
      ),
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
    run++;
    const committed = new Map([
      ['a', 0],
      ['b', 0],
    ]);
    const tasks: Promise<void>[] = [];
    for (const { does, process, stream, wait, awaited } of steps) {
      late = wait;
      const runner = runners[process];
      if (runner === undefined) throw new Error('no such process');
      const add = async () => {
        await runner.run(decider, `${stream}-${run}`, context(), () => [{ type: 'tally.added.v1', data: { by: 1 } }]);
        committed.set(stream, (committed.get(stream) ?? 0) + 1);
      };
      const load = async () => {
        const atLeast = committed.get(stream) ?? 0;
        expect((await runner.load(decider, `${stream}-${run}`)).state).toBeGreaterThanOrEqual(atLeast);
      };
      if (does !== 'load') tasks.push(add());
      if (does !== 'add') tasks.push(load());
      if (awaited) await tasks.at(-1);
    }
    await Promise.all(tasks);
    for (const [stream, sum] of committed) {
      for (const runner of runners) expect((await runner.load(decider, `${stream}-${run}`)).state).toBe(sum);
    }
  });
  await fc.assert(property, { numRuns: 100 });
  await temporary.close();
});
