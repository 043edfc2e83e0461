import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AgencyPermits, CommandRunner, DAY, type Duration, dueItem, HOUR, MINUTE, SECOND, silentLogger } from '#kernel';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { workspaceId } from '../../../kernel/src/deciding/tally.fixtures.js';
import { SetAsides } from '../set-asides/set-asides.js';
import { NO_OPTIONS, STEPS } from './due-runner.fixtures.js';
import { DueRunner } from './due-runner.js';
import type { ItemTurn } from './due-work.js';
import { CLAIM_TTL, DUE_WORK_INDEXES, DueWork } from './due-work.js';
import { Recovery } from './recovery.js';

const START = 1_767_225_600_000;
const YEAR = 365 * DAY;
const WAIT = 10 * MINUTE;
const STEP = MINUTE;
const ASKED_EVERY = SECOND / 2;

const wrongBy = fc.constantFrom(-YEAR, -HOUR, -11 * MINUTE, -MINUTE, 0, MINUTE, 11 * MINUTE, HOUR, YEAR);
const wrongClocks = fc.array(wrongBy, { minLength: 1, maxLength: 3 });
const jumps = fc.array(fc.record({ step: fc.nat(90), process: fc.nat(2), by: wrongBy }), { maxLength: 6 });

const permits = () => new Map([['walk', new AgencyPermits({ perAgency: 1, total: 1 })]]);

/** A store with one item that is due, and a clock for each process. */
const given = async (wrong: readonly Duration[]) => {
  const store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'due', indexes: DUE_WORK_INDEXES }]);
  const item = dueItem('walk', 'a', workspaceId, START - 2 * YEAR, { id: 'e1', correlationId: 'req_1' });
  const stored = { ...item, position: 3 };
  await store.write([{ collection: 'due', put: [stored] }]);
  const clocks = wrong.map((by) => new FakeClock(START + by));
  const works = clocks.map((_, n) => new DueWork(store, async () => 'due', `host-${n}/1/1/`));
  const jump = (step: number, jumping: readonly { step: number; process: number; by: Duration }[]) => {
    for (const { step: at, process, by } of jumping) if (at === step) clocks[process]?.jump(by);
  };
  const pass = (time: Duration) => {
    for (const clock of clocks) clock.advance(time);
  };
  return { store, clocks, works, jump, pass };
};

describe('with wrong clocks in any of the processes (D93), work that repeats', () => {
  it('goes on within its wait, and is not done much more often', () =>
    fc.assert(
      fc.asyncProperty(wrongClocks, jumps, async (wrong, jumping) => {
        const { clocks, works, jump, pass } = await given(wrong);
        const looks: number[] = [];
        let passed = 0;
        const runners = works.map((work, n) => {
          const clock = clocks[n] ?? new FakeClock();
          const look = async () => {
            looks.push(passed);
            return { retryAt: clock.now() + WAIT };
          };
          const jobs = { walk: { concurrency: 1, longestWait: WAIT, command: () => look } };
          const setAsides = new SetAsides(new CommandRunner(new InMemoryEventLog(), clock));
          return { clock, runner: new DueRunner(work, jobs, STEPS, NO_OPTIONS, clock, setAsides, silentLogger) };
        });
        const steps = 90;
        for (let step = 0; step < steps; step++, passed += STEP) {
          jump(step, jumping);
          for (const { clock, runner } of runners) {
            await runner.recover();
            await runner.runDue(clock.now());
          }
          pass(STEP);
        }
        // A jump back within the wait postpones the item by as much.
        const allowed = 2 * WAIT + STEP;
        for (const [n, at] of looks.entries()) expect((looks[n + 1] ?? passed) - at).toBeLessThanOrEqual(allowed);
        expect(looks.length).toBeGreaterThan(0);
        const rounds = (steps * STEP) / WAIT + 1;
        expect(looks.length).toBeLessThanOrEqual(2 * (rounds + jumping.length) * runners.length);
      }),
      { numRuns: 60 },
    ));
});

describe('with wrong clocks in any of the processes (D93), a claim', () => {
  it('is never taken from a process that renews it, and ends soon after the last renewal', () =>
    fc.assert(
      fc.asyncProperty(fc.tuple(wrongBy, wrongBy, wrongBy), jumps, async (wrong, jumping) => {
        const { clocks, works, jump, pass } = await given(wrong);
        const [holder, ...others] = works;
        const claimed = await holder?.claimDue(permits(), START);
        const [turn] = claimed ?? [];
        if (turn === undefined) throw new Error('nothing to claim');
        const looking = others.map((work, n) => {
          const clock = clocks[n + 1] ?? new FakeClock();
          return { work, clock, recovery: new Recovery(work, {}, clock, NO_OPTIONS) };
        });
        const isTaken = async () => {
          const taken: ItemTurn[] = [];
          for (const { work, clock, recovery } of looking) {
            await recovery.run(clock.now());
            taken.push(...(await work.claimDue(permits(), clock.now())));
          }
          return taken.length > 0;
        };
        const lived = 40;
        for (let step = 0; step < lived; step++) {
          jump(step, jumping);
          if (step % 3 === 0) expect(await holder?.renew(turn.task, step + 1)).toBe(true);
          expect(await isTaken()).toBe(false);
          pass(ASKED_EVERY);
        }
        let waited = 0;
        while (!(await isTaken())) {
          pass(ASKED_EVERY);
          waited += ASKED_EVERY;
        }
        expect(waited).toBeLessThanOrEqual(CLAIM_TTL + 2 * SECOND);
      }),
      { numRuns: 60 },
    ));
});
