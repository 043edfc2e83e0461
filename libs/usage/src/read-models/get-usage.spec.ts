import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  Clock,
  derivedId,
  EventLog,
  HOUR,
  type Instant,
  newEventId,
  type Position,
  Progress,
  systemClock,
} from '#kernel';
import { READ_MODELS, SetAsideList } from '#projections';
import { InMemoryEventLog } from '#testing';
import { given } from '../../../testing/src/test-ports.module.js';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { METERING } from '../domain/usage-meter.js';
import { UsageModule } from '../usage.module.js';
import { GetUsage } from './get-usage.js';
import { UsageReader } from './usage-figures.js';

const workspaceId = derivedId('workspace', 'ag_lumen');

/** Counts how often it is read, and how often at the same time. Reads wait for `released`. */
class CountedLog extends InMemoryEventLog {
  readonly asked = Promise.withResolvers<void>();
  released = Promise.resolve();
  reads = 0;
  heads = 0;
  afterHead = async (): Promise<void> => undefined;
  concurrent = 0;
  maxConcurrent = 0;

  override async head() {
    this.heads++;
    const head = await super.head();
    await this.afterHead();
    return head;
  }

  override async readLog(...query: Parameters<InMemoryEventLog['readLog']>) {
    this.reads++;
    this.maxConcurrent = Math.max(this.maxConcurrent, ++this.concurrent);
    this.asked.resolve();
    try {
      await this.released;
      return await super.readLog(...query);
    } finally {
      this.concurrent--;
    }
  }
}

let log: CountedLog;
let service: TestedContext;
let progress: Progress;
/** How often figures were read. */
let reads: number;

beforeEach(async () => {
  reads = 0;
  log = new CountedLog();
  service = await testedContext([UsageModule], [given(EventLog, log), given(Clock, systemClock)]);
  progress = service.get(Progress);
  for (const runner of [METERING, READ_MODELS]) progress.report(runner, await log.head());
  log.heads = 0;
});

/** Usage by figures whose last event has that time. */
const usageOf = (metered: Instant, workspace = workspaceId) => {
  service.get(UsageReader).figures = async () => {
    reads++;
    return { active: 5, creators: 1, metered };
  };
  return service.queries.execute(new GetUsage(workspace, undefined));
};

describe('figures that were metered by a process whose clock is ahead', () => {
  it('are shown as soon as this clock has passed them, without reading the log, if it is a little ahead', async () => {
    const metered = systemClock.now() + 60;
    const usage = await usageOf(metered);
    expect(usage).toMatchObject({ active: 5, creators: 1 });
    expect(usage.through).toBeGreaterThanOrEqual(metered);
    expect(log.reads).toBe(0);
  });

  it('are computed from the log, if it is further ahead than a request can wait (D44)', async () => {
    const answer = await usageOf(systemClock.now() + HOUR);
    expect(answer).toMatchObject({ active: 0, creators: 0 });
    expect(log.reads).toBe(1);
  });

  it('are computed one at a time, and once for all that an agency asks for during a computation', async () => {
    const ask = (of = workspaceId) => usageOf(systemClock.now() + HOUR, of);
    const { promise, resolve } = Promise.withResolvers<void>();
    log.released = promise;
    const first = ask();
    await log.asked.promise;
    const later = [1, 2, 3, 4].map(() => ask());
    const other = ask(derivedId('workspace', 'ag_nova'));
    resolve();
    await Promise.all([first, ...later, other]);
    expect([log.reads, log.maxConcurrent]).toEqual([3, 1]);
  });
});

describe('what happened before the request', () => {
  const metered = systemClock.now();
  /** The end of the log after one more event. */
  const append = async (): Promise<Position> => {
    const metadata = { at: metered, correlationId: 'c', causationId: null, actor: 'test', workspaceId: null };
    const event = { id: newEventId(), type: 'tally.added.v1', data: {}, metadata };
    return (await log.append(`tally-${event.id}`, 'none', [event])).position;
  };
  const measured = async (): Promise<Instant> => (await usageOf(metered)).through;

  it('is in the figures; the end of the log is asked for once, if the meter was there', async () => {
    const end = await append();
    progress.report(METERING, end);
    progress.report(READ_MODELS, end);
    expect(await measured()).toBeGreaterThan(metered);
    expect(log.heads).toBe(1);
  });

  it('is in the figures with what the meter appends after the request began', async () => {
    const end = await append();
    progress.report(METERING, end - 1);
    progress.report(READ_MODELS, end);
    let haveAll = false;
    log.afterHead = async () => {
      log.afterHead = async () => undefined;
      const meteredAt = await append();
      progress.report(METERING, end);
      setImmediate(() => {
        haveAll = true;
        progress.report(READ_MODELS, meteredAt);
      });
    };
    expect(await measured()).toBeGreaterThan(metered);
    expect(haveAll).toBe(true);
  });
});

it('D67: figures are refused if something is set aside directly after they were read', async () => {
  service.get(SetAsideList).isComplete = async () => reads === 0;
  await expect(usageOf(0)).rejects.toMatchObject({ code: 'provider_unavailable' });
});
