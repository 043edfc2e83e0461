import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, newEventId, SECOND } from '#kernel';
import { FakeClock, InMemoryEventLog, RecordingLogger } from '#testing';
import { ClockWatch } from './clock-watch.js';

let clock: FakeClock;
let log: InMemoryEventLog;
let logger: RecordingLogger;
let watch: ClockWatch;

beforeEach(() => {
  clock = new FakeClock();
  log = new InMemoryEventLog();
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
    'that is set by %i ms has a fault for a day, and is warned of once',
    async (by) => {
      clock.jump(by);
      await watch.check();
      await watch.check();
      expect(watch.faults).toEqual(['moved']);
      expect(logger.lines).toMatchObject([{ level: 'warn', fields: { moved_by_ms: by } }]);
      clock.advance(DAY - 1);
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
  let begun: { readonly position: number; readonly at: number };
  let wait: number;
  /** The clock of the process that appends it differs by so much. */
  const appended = async (waits: number, differsBy = 0) => {
    const at = clock.now() + differsBy;
    const { position } = await appendedAt(at);
    begun = { position, at };
    wait = waits;
  };
  const remaining = () => watch.remainingFor(begun, wait);
  const passes = async (time: number) => {
    clock.advance(time);
    await watch.check();
  };

  it.each([10 * MINUTE, 3 * DAY])(
    'of %i ms is what the wall clock shows for an event from before the start',
    async (wait) => {
      await appended(wait);
      clock.advance(MINUTE);
      expect(remaining()).toBe(wait - MINUTE);
      await watch.check();
      await passes(4 * SECOND);
      expect(remaining()).toBe(wait - MINUTE - 4 * SECOND);
      await passes(wait);
      expect(remaining()).toBe(0);
    },
  );

  it.each([-DAY, -MINUTE, 0, MINUTE, DAY])(
    'of at most ten minutes is measured, also if the clock of its writer differs by %i ms',
    async (differsBy) => {
      await watch.check();
      await appended(10 * MINUTE, differsBy);
      await passes(SECOND);
      expect(remaining()).toBe(10 * MINUTE);
      await passes(10 * MINUTE - 1);
      expect(remaining()).toBe(1);
      await passes(1);
      expect(remaining()).toBe(0);
    },
  );

  it.each([10 * MINUTE, 3 * DAY])('of %i ms does not change when the clock is set', async (wait) => {
    for (const by of [-DAY, -MINUTE, MINUTE, DAY]) {
      await watch.check();
      await appended(wait);
      await passes(SECOND);
      clock.jump(by);
      expect(remaining()).toBe(wait);
    }
  });

  it('of days is what the wall clock shows, but never longer than it is by the monotonic one', async () => {
    await watch.check();
    await appended(3 * DAY, -HOUR);
    await passes(SECOND);
    expect(remaining()).toBe(3 * DAY - HOUR - SECOND);
    await appended(3 * DAY, HOUR);
    await appended(3 * DAY);
    begun = { ...begun, at: begun.at + HOUR };
    await passes(SECOND);
    expect([watch.faults, remaining()]).toEqual([[], 3 * DAY]);
  });

  it('is measured from the start for an event from before it, while a fault stands', async () => {
    await appended(3 * DAY);
    clock.jump(HOUR);
    await watch.check();
    await passes(MINUTE);
    expect(remaining()).toBe(3 * DAY - MINUTE);
    clock.advance(DAY);
    expect(remaining()).toBe(2 * DAY - HOUR - MINUTE);
  });

  it('is measured while the log is ahead of the clock', async () => {
    await watch.check();
    await appended(3 * DAY, -2 * DAY);
    await appendedAt(clock.now() + 5 * DAY);
    await passes(SECOND);
    await passes(DAY);
    expect([watch.faults, remaining()]).toEqual([['behind_the_log'], 2 * DAY]);
  });
});
