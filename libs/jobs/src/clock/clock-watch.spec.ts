import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR, MINUTE, newEventId, SECOND } from '#kernel';
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
