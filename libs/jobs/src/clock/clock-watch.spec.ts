import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, newEventId, SECOND } from '#kernel';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog, RecordingLogger } from '#testing';
import { Leases } from '../leases/leases.js';
import { ClockWatch, type Plan } from './clock-watch.js';

let clock: FakeClock;
let log: InMemoryEventLog;
let store: InMemoryDocumentStore;
let logger: RecordingLogger;
let watch: ClockWatch;

beforeEach(() => {
  clock = new FakeClock();
  log = new InMemoryEventLog();
  store = new InMemoryDocumentStore();
  logger = new RecordingLogger();
  watch = new ClockWatch(clock, log, logger);
});

const appendedAt = (at: number) =>
  log.append('thing-1', 'any', [
    {
      id: newEventId(),
      type: 'thing.happened.v1',
      data: {},
      metadata: { at, correlationId: 'req_1', causationId: null, actor: 'operator:test', workspaceId: null },
    },
  ]);

describe('D93: a clock', () => {
  it('that goes on as time passes, and is level with the log, has no fault', async () => {
    await appendedAt(clock.now());
    for (let check = 0; check < 5; check++) {
      clock.advance(HOUR);
      await watch.check();
    }
    expect([watch.faults, logger.lines]).toEqual([[], []]);
  });

  it.each([2 * SECOND + 1, -2 * SECOND - 1, HOUR, -HOUR])(
    'that is set by %i ms is shown for ten minutes, and warned of once',
    async (by) => {
      clock.jump(by);
      await watch.check();
      await watch.check();
      expect(watch.faults).toEqual(['moved']);
      expect(logger.lines).toMatchObject([{ level: 'warn', fields: { moved_by_ms: by } }]);
      clock.advance(10 * MINUTE - 1);
      expect(watch.faults).toEqual(['moved']);
      clock.advance(1);
      expect(watch.faults).toEqual([]);
    },
  );

  it.each([2 * SECOND, -2 * SECOND])('may be corrected by %i ms', async (by) => {
    clock.jump(by);
    await watch.check();
    expect([watch.faults, logger.lines]).toEqual([[], []]);
  });

  it('that is more than a minute before the last event has a fault until it has caught up', async () => {
    await appendedAt(clock.now() + MINUTE + 1);
    await watch.check();
    await watch.check();
    expect(watch.faults).toEqual(['behind_the_log']);
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { behind_by_ms: MINUTE + 1 } }]);
    clock.advance(1);
    await watch.check();
    expect(watch.faults).toEqual([]);
  });
});

describe('D93: what is left of a wait that an event has begun', () => {
  const WAIT = 10 * MINUTE;
  let plan: Plan;
  /** Another process appends the event, whose clock differs by so much. */
  const appended = async (differsBy = 0) => {
    const at = clock.now() + differsBy;
    const { position } = await appendedAt(at);
    plan = { position, at, until: at + WAIT };
  };
  const remaining = () => watch.remaining(plan);
  const passes = async (time: number) => {
    clock.advance(time);
    await watch.check();
  };

  it('is what the wall clock shows while the clocks agree, also for an event from before the start', async () => {
    await appended();
    clock.advance(MINUTE);
    expect(remaining()).toBe(WAIT - MINUTE);
    await watch.check();
    await passes(4 * SECOND);
    expect(remaining()).toBe(WAIT - MINUTE - 4 * SECOND);
    await appended();
    await passes(WAIT);
    expect([remaining(), watch.isInDoubt]).toEqual([0, false]);
  });

  it.each([-DAY, -MINUTE, MINUTE, DAY])(
    'is measured if the clock of its writer differs by %i ms',
    async (differsBy) => {
      await watch.check();
      await appended(differsBy);
      await passes(SECOND);
      expect([remaining(), watch.isInDoubt]).toEqual([WAIT, true]);
      await passes(WAIT - 1);
      expect(remaining()).toBe(1);
      await passes(1);
      expect(remaining()).toBe(0);
    },
  );

  it.each([-DAY, -MINUTE, MINUTE, DAY])('does not change when the clock is set by %i ms', async (by) => {
    await watch.check();
    await appended();
    await passes(SECOND);
    clock.jump(by);
    expect([remaining(), watch.isInDoubt]).toEqual([WAIT, true]);
  });

  it('is measured from the start for an event from before it, if a clock may be wrong', async () => {
    await appended();
    clock.jump(HOUR);
    await watch.check();
    await passes(MINUTE);
    expect(remaining()).toBe(WAIT - MINUTE);
    // After a day without another fault the wall clock decides again.
    plan = { ...plan, at: clock.now(), until: clock.now() + 3 * DAY };
    clock.advance(DAY);
    expect(remaining()).toBe(2 * DAY - MINUTE);
  });

  it('is some seconds after a start, so that another process shows its clock before', async () => {
    await appended(-DAY);
    await watch.check();
    expect(remaining()).toBe(4 * SECOND);
    const leases = ['a', 'b'].map((holder) => new Leases(store, clock, holder, watch));
    for (let renewal = 0; renewal < 2; renewal++) {
      clock.jump(-DAY);
      await leases[0]?.acquire('runner', 6 * SECOND);
      clock.jump(DAY);
      await leases[1]?.acquire('runner', 6 * SECOND);
      clock.advance(2 * SECOND);
    }
    expect(remaining()).toBe(WAIT - 4 * SECOND);
  });
});
