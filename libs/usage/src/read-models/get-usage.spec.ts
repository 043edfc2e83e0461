import { beforeEach, describe, expect, it } from '@jest/globals';
import { derivedId, HOUR, type Instant, newEventId, type Position, Progress, systemClock } from '#kernel';
import { READ_MODELS, ReadModels, SetAsideList, StoredLiveCollections } from '#projections';
import { InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { METERING } from '../domain/usage-meter.js';
import { GetUsage, GetUsageHandler } from './get-usage.js';
import { type UsageFigures, UsageReader } from './usage-figures.js';
import { UsageProgress } from './usage-progress.js';

const workspaceId = derivedId('workspace', 'ag_lumen');
const store = new InMemoryDocumentStore();

/** Figures whose last event has that time. */
class FiguresUpTo extends UsageReader {
  reads = 0;

  constructor(private readonly metered: Instant) {
    super(new ReadModels(store, new StoredLiveCollections(store)));
  }

  override async figures(): Promise<UsageFigures> {
    this.reads++;
    return { active: 5, creators: 1, metered: this.metered };
  }
}

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
const noSetAsides = () => new SetAsideList({ find: async () => [], findEntries: async () => [] });
const usageOf = (metered: Instant, progress = new Progress(store)) =>
  new GetUsageHandler(new FiguresUpTo(metered), log, new UsageProgress(log, progress), noSetAsides(), systemClock);

beforeEach(() => {
  log = new CountedLog();
});

describe('figures that were metered by a process whose clock is ahead', () => {
  it('are shown as soon as this clock has passed them, without reading the log, if it is a little ahead', async () => {
    const metered = systemClock.now() + 60;
    const usage = await usageOf(metered).execute(new GetUsage(workspaceId, undefined));
    expect(usage).toMatchObject({ active: 5, creators: 1 });
    expect(usage.through).toBeGreaterThanOrEqual(metered);
    expect(log.reads).toBe(0);
  });

  it('are computed from the log, if it is further ahead than a request can wait (D44)', async () => {
    const answer = await usageOf(systemClock.now() + HOUR).execute(new GetUsage(workspaceId, undefined));
    expect(answer).toMatchObject({ active: 0, creators: 0 });
    expect(log.reads).toBe(1);
  });

  it('are computed one at a time, and once for all that an agency asks for during a computation', async () => {
    const handler = usageOf(systemClock.now() + HOUR);
    const ask = (of = workspaceId) => handler.execute(new GetUsage(of, undefined));
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
  let progress: Progress;
  beforeEach(() => {
    progress = new Progress(store);
  });
  /** The end of the log after one more event. */
  const append = async (): Promise<Position> => {
    const metadata = { at: metered, correlationId: 'c', causationId: null, actor: 'test', workspaceId: null };
    const event = { id: newEventId(), type: 'tally.added.v1', data: {}, metadata };
    return (await log.append(`tally-${event.id}`, 'none', [event])).position;
  };
  const measured = async (): Promise<Instant> =>
    (await usageOf(metered, progress).execute(new GetUsage(workspaceId, undefined))).through;

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
  const figures = new FiguresUpTo(0);
  const setAsides = noSetAsides();
  setAsides.isComplete = async () => figures.reads === 0;
  const usage = new GetUsageHandler(figures, log, new UsageProgress(log, new Progress(store)), setAsides, systemClock);
  await expect(usage.execute(new GetUsage(workspaceId, undefined))).rejects.toMatchObject({
    code: 'provider_unavailable',
  });
});
