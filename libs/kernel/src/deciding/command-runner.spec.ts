import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FakeClock, InMemoryEventLog, settled } from '#testing';
import { DomainError } from '../errors.js';
import { StoreUnavailable, WrongExpectedRevision } from '../stores/event-log.js';
import { InterceptedLog } from '../stores/intercepted-log.fixtures.js';
import { CommandRunner } from './command-runner.js';
import { type Added, added, contextOf, type Tally, tallyDecider, workspaceId } from './tally.fixtures.js';

/** A cache of this many bytes has no room for two states. */
const ONE_STATE = 400;

let stored: InMemoryEventLog;
let log: InterceptedLog;
let clock: FakeClock;
let runner: CommandRunner;
let elsewhere: CommandRunner;

beforeEach(() => {
  stored = new InMemoryEventLog();
  log = new InterceptedLog(stored);
  clock = new FakeClock(1_000);
  runner = new CommandRunner(log, clock);
  elsewhere = new CommandRunner(stored, clock);
});

const add = (by: number, on = runner, id = 'a') => on.run(tallyDecider, id, contextOf(), () => [added(by)]);
const stateOf = async (on: CommandRunner, id = 'a') => (await on.load(tallyDecider, id)).state;

/** Adds one while the total is below the limit, and counts its calls. */
const addBelow = (limit: number, seen: number[] = []) => ({
  seen,
  decide: ({ total }: Tally) => {
    seen.push(total);
    return total < limit ? [added(1)] : [];
  },
});

describe('a command', () => {
  it('is decided on the state of the stream, and returns the state after it', async () => {
    await add(2);
    const decided = await runner.run(tallyDecider, 'a', contextOf(), ({ total }) => [added(total), added(10)]);
    expect(decided).toMatchObject({ state: { total: 14 }, revision: 2, at: 1_000, events: [added(2), added(10)] });
    expect((await stored.readStream('tally-a')).map(({ data }) => data)).toEqual([{ by: 2 }, { by: 2 }, { by: 10 }]);
  });

  it('of a long stream lets other work have its turn between two pages', async () => {
    await elsewhere.run(tallyDecider, 'a', contextOf(), () => Array.from({ length: 350 }, () => added(1)));
    let turns = 0;
    const count = () => {
      turns++;
      waiting = setImmediate(count);
    };
    let waiting = setImmediate(count);
    expect(await stateOf(runner)).toMatchObject({ total: 350 });
    clearImmediate(waiting);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('records in each event the actor, the time, the cause and the workspace', async () => {
    const context = { ...contextOf('req_7'), causationId: 'evt-1', actor: 'process:sums' };
    await runner.run(tallyDecider, 'a', context, () => [added(1), added(2)]);
    const [first, second] = await stored.readStream('tally-a');
    const metadata = { at: 1_000, correlationId: 'req_7', causationId: 'evt-1', actor: 'process:sums', workspaceId };
    expect(first?.metadata).toEqual(metadata);
    expect(second?.metadata).toEqual(metadata);
    expect(first?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(first?.id).not.toBe(second?.id);
  });

  it('that is refused appends nothing, is not tried again, and does not block the next one', async () => {
    let asked = 0;
    const refused = runner.run(tallyDecider, 'a', contextOf(), () => {
      asked++;
      throw new DomainError('not_found');
    });
    const next = add(1);
    await expect(refused).rejects.toThrow('not_found');
    expect((await next).state.total).toBe(1);
    expect(asked).toBe(1);
  });
});

describe('after a conflict with another writer, the runner', () => {
  it('appends nothing if the command is now a repeat', async () => {
    const { seen, decide } = addBelow(1);
    log.beforeAppend = () => add(1, elsewhere);
    const decided = await runner.run(tallyDecider, 'a', contextOf(), decide);
    expect(seen).toEqual([0, 1]);
    expect(decided.events).toEqual([]);
    expect(await stateOf(elsewhere)).toMatchObject({ total: 1 });
  });

  it('rejects with provider_unavailable after too many conflicts', async () => {
    const { seen, decide } = addBelow(Infinity);
    log.beforeAppend = () => add(100, elsewhere);
    const failure = await runner.run(tallyDecider, 'a', contextOf(), decide).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'provider_unavailable', cause: expect.any(WrongExpectedRevision) });
    expect(seen).toEqual(Array.from({ length: 12 }, (_, attempt) => attempt * 100));
    expect(await stateOf(elsewhere)).toMatchObject({ total: 1_200 });
  });

  it('does not mistake a failure of the store for a conflict', async () => {
    log.beforeAppend = async () => {
      throw new StoreUnavailable('on fire');
    };
    await expect(add(1)).rejects.toThrow('on fire');
    expect(log.appends).toBe(1);
  });

  it('keeps a limit under concurrent commands of two processes', async () => {
    const { decide } = addBelow(5);
    const attempts = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? runner : elsewhere).run(tallyDecider, 'a', contextOf(), decide),
    );
    const appended = (await Promise.all(attempts)).flatMap(({ events }) => events);
    expect(appended).toHaveLength(5);
    expect(await stateOf(runner)).toEqual(await stateOf(new CommandRunner(stored, clock)));
  });
});

describe('commands of one process', () => {
  it('on one stream run one after another, without conflicts', async () => {
    const { seen, decide } = addBelow(Infinity);
    await Promise.all(Array.from({ length: 50 }, () => runner.run(tallyDecider, 'a', contextOf(), decide)));
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(log.appends).toBe(50);
  });

  it('run also after one that fails', async () => {
    log.afterAppend = async () => {
      if (log.appends === 1) throw new StoreUnavailable('the answer was lost');
    };
    const [lost, next] = await Promise.allSettled([add(1), add(1)]);
    expect(lost).toMatchObject({ status: 'rejected' });
    // The next command sees the events whose answer was lost.
    expect(next).toMatchObject({ status: 'fulfilled', value: { state: { total: 2 }, revision: 1 } });
  });
});

describe('the position', () => {
  it('of the last event is passed to the decision, 0 without one', async () => {
    const positions: number[] = [];
    const look = () =>
      runner.run(tallyDecider, 'a', contextOf(), (_state, _now, position) => {
        positions.push(position);
        return [];
      });
    await look();
    await add(1, runner, 'b');
    const { position } = await add(1);
    await look();
    expect(positions).toEqual([0, position]);
  });
});

describe('the time', () => {
  it('never goes back within a stream, in the decision or in the event', async () => {
    await add(1);
    clock.set(400);
    const decided = await runner.run(tallyDecider, 'a', contextOf(), (_, now) => [added(now)]);
    expect(decided).toMatchObject({ at: 1_000, events: [added(1_000)], state: { changedAt: 1_000 } });
    clock.set(1_001);
    expect((await add(1)).at).toBe(1_001);
  });

  it('is what the decider adds to an event that is decided while the clock is behind the stream', async () => {
    const subtracting = { ...tallyDecider, whenClockIsBehind: (_: Added, shown: number) => added(-shown) };
    const addOne = () => runner.run(subtracting, 'a', contextOf(), () => [added(1)]);
    expect((await addOne()).state).toEqual({ total: 1, changedAt: 1_000 });
    expect((await addOne()).state).toEqual({ total: 2, changedAt: 1_000 });
    clock.jump(-600);
    expect(await addOne()).toMatchObject({ state: { total: -398, changedAt: 1_000 }, events: [added(-400)] });
    expect((await stored.readStream('tally-a')).map(({ data }) => data)).toEqual([{ by: 1 }, { by: 1 }, { by: -400 }]);
  });
});

describe('cached states', () => {
  it('cost only a read of the events after them', async () => {
    await add(1);
    await add(1);
    log.reads.length = 0;
    await add(1);
    expect(log.reads).toEqual([{ stream: 'tally-a', from: 2 }]);
  });

  it('do not go back when a slow load ends after a faster append', async () => {
    await add(1);
    const slow = runner.load(tallyDecider, 'a');
    await add(1);
    await slow;
    expect(await stateOf(runner)).toMatchObject({ total: 2 });
    expect((await add(1)).state.total).toBe(3);
  });

  it('equal a fold of the log, whichever process wrote', async () => {
    const step = fc.record({ by: fc.integer(), by_us: fc.boolean(), id: fc.constantFrom('a', 'b'), wait: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20, size: 'max' }), async (steps) => {
        const shared = new InMemoryEventLog();
        const [ours, theirs] = [1, 2].map(() => new CommandRunner(shared, clock, { cacheBytes: ONE_STATE }));
        for (const { by, by_us, id, wait } of steps) {
          clock.advance(wait);
          await (by_us ? ours : theirs)?.run(tallyDecider, id, contextOf(), () => [added(by)]);
        }
        for (const id of ['a', 'b']) {
          expect(await ours?.load(tallyDecider, id)).toEqual(
            await new CommandRunner(shared, clock).load(tallyDecider, id),
          );
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the consistency token', () => {
  it('names the last event that was appended', async () => {
    const context = contextOf();
    await runner.run(tallyDecider, 'a', context, () => [added(1), added(2)]);
    expect(context.consistencyToken.position).toBe(await stored.head());
  });

  it('names the stream’s last event after a repeat, also if another process wrote it', async () => {
    const { position } = await add(1, elsewhere);
    await add(1, elsewhere, 'b');
    const context = contextOf();
    await runner.run(tallyDecider, 'a', context, () => []);
    expect(context.consistencyToken.position).toBe(position);
  });

  it('never goes back', async () => {
    await add(1);
    const context = contextOf();
    const { position } = await runner.run(tallyDecider, 'b', context, () => [added(1)]);
    await runner.run(tallyDecider, 'a', context, () => []);
    expect(context.consistencyToken.position).toBe(position);
  });

  it('does not advance with a refused command', async () => {
    const context = contextOf();
    const refused = runner.run(tallyDecider, 'a', context, () => {
      throw new DomainError('forbidden');
    });
    await expect(refused).rejects.toThrow('forbidden');
    await settled();
    expect(context.consistencyToken.position).toBe(0);
  });
});
