import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CollectionWrite, type LogPage, StoreUnavailable, UnknownCollection } from '#kernel';
import { eventually, Gate, type InMemoryDocumentStore, type InMemoryEventLog, settled } from '#testing';
import { LANE, Lanes, numbered, TYPE } from './lanes.fixtures.js';
import type { LogConsumer } from './log-consumer.js';

const TIMEOUT = 6_000;

let lanes: Lanes;
let log: InMemoryEventLog;
let store: InMemoryDocumentStore;

beforeEach(async () => {
  lanes = new Lanes();
  ({ log, store } = lanes);
  await store.ensure([{ name: 'seen', indexes: [] }]);
});

afterEach(() => lanes.stop());

const append = (count: number) => lanes.append(count);
const checkpoint = () => lanes.checkpoint();
const caughtUp = () => lanes.caughtUp();

/** Records the events that it gets; a test can delay or fail a page. */
class Witness implements LogConsumer {
  readonly name = LANE;
  readonly types = new Set([TYPE]);
  readonly seen: unknown[] = [];
  pages = 0;
  takeOvers = 0;
  forgets = 0;
  onTakeOver = async () => undefined as unknown;
  onPage = async (_: LogPage) => undefined as unknown;

  constructor(private readonly by: string) {}

  async takeOver(): Promise<void> {
    this.takeOvers++;
    await this.onTakeOver();
  }

  forget(): void {
    this.forgets++;
  }

  async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    this.pages++;
    await this.onPage(page);
    this.seen.push(...page.events.map(({ data }) => data));
    return [{ collection: 'seen', put: page.events.map(({ id }) => ({ id, by: this.by })) }];
  }
}

/** A process that leads under this fence. */
const aProcess = (host: string, fence = 1) => {
  const consumer = new Witness(host);
  return { consumer, ...lanes.lane({ consumers: [consumer] }, fence) };
};

describe('a runner', () => {
  it('continues from the checkpoint, in any process', async () => {
    await append(3);
    const first = aProcess('a');
    first.runner.start();
    await caughtUp();
    await first.runner.stop();
    await append(2);
    const second = aProcess('b');
    second.runner.start();
    await caughtUp();
    expect([first.consumer.seen, second.consumer.seen]).toEqual([numbered(1, 3), numbered(4, 5)]);
  });

  it('reports a position when its checkpoint is stored, and none after it has stopped', async () => {
    const { runner, progress } = aProcess('a');
    const stored: boolean[] = [];
    const write = store.write.bind(store);
    let isWritten = false;
    store.write = async (...given) => {
      isWritten = false;
      await write(...given);
      isWritten = true;
    };
    progress.onReport(() => stored.push(isWritten));
    await append(2);
    runner.start();
    await progress.waitForPosition([LANE], await log.head(), TIMEOUT);
    expect(stored.every(Boolean)).toBe(true);
    expect(stored.length).toBeGreaterThan(0);
    await runner.stop();
    expect(Reflect.get(progress, 'local')).toEqual(new Map());
  });
});

describe('a former leader that continues late', () => {
  /** The first one is delayed in a page until another process leads. */
  const overtaken = async (untilNextMayBegin: Promise<void>) => {
    const gate = new Gate();
    const [old, next] = [aProcess('old', 1), aProcess('next', 2)];
    old.consumer.onPage = () => gate.opened;
    next.consumer.onTakeOver = () => untilNextMayBegin;
    await append(1);
    old.runner.start();
    await eventually(() => old.consumer.pages === 1);
    next.runner.start();
    await eventually(() => next.consumer.takeOvers === 1);
    return { old, next, gate };
  };

  it('writes nothing, reports nothing and stops', async () => {
    const { old, next, gate } = await overtaken(Promise.resolve());
    await caughtUp();
    gate.open();
    await eventually(() => old.consumer.seen.length === 1);
    await settled();
    await append(1);
    await caughtUp();
    expect(next.consumer.seen).toEqual(numbered(1, 2));
    expect(old.consumer.pages).toBe(1);
    expect(Reflect.get(old.progress, 'local')).toEqual(new Map());
    const ids = (await log.readStream('thing-1')).map(({ id }) => id);
    expect(await store.getMany('seen', ids)).toMatchObject([{ by: 'next' }, { by: 'next' }]);
    expect(old.logger.lines).toEqual([]);
  });

  it('writes nothing even before the new runner has handled its first page', async () => {
    const held = new Gate();
    const { old, next, gate } = await overtaken(held.opened);
    gate.open();
    await eventually(() => old.consumer.seen.length === 1);
    await settled();
    expect([await checkpoint(), await store.count('seen')]).toEqual([0, 0]);
    held.open();
    await caughtUp();
    expect(next.consumer.seen).toEqual([{ n: 1 }]);
  });
});

describe('a failure', () => {
  it('of the infrastructure restarts the runner at the checkpoint, after growing delays, and loses nothing', async () => {
    const { runner, consumer, logger } = aProcess('a');
    const failures: number[] = [];
    consumer.onPage = async () => {
      if (failures.length === 3) return;
      failures.push(performance.now());
      throw new StoreUnavailable('not yet');
    };
    await append(2);
    runner.start();
    await caughtUp();
    expect(consumer.seen).toEqual(numbered(1, 2));
    expect(consumer.takeOvers).toBe(4);
    const waits = failures.slice(1).map((at, index) => at - (failures[index] ?? 0));
    for (const [index, least] of [50, 100].entries()) expect(waits[index]).toBeGreaterThanOrEqual(least - 2);
    expect(logger.lines).toHaveLength(3);
    expect(logger.lines[0]).toMatchObject({
      level: 'error',
      fields: { runner: LANE, err: new StoreUnavailable('not yet') },
    });
  });

  it('to find a collection that a rebuild has dropped sets no event aside', async () => {
    const { runner, consumer, logger } = aProcess('a');
    consumer.onPage = async () => {
      if (consumer.pages === 1) throw new UnknownCollection('seen_v1_1');
    };
    await append(1);
    runner.start();
    await caughtUp();
    expect(consumer.seen).toEqual(numbered(1, 1));
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { runner: LANE } }]);
  });

  it('of a write passes the page again', async () => {
    const { runner, consumer } = aProcess('a');
    const write = store.write.bind(store);
    let isBroken = true;
    store.write = async (writes, given) => {
      if (isBroken && writes.length > 0) {
        isBroken = false;
        throw new StoreUnavailable('disk full');
      }
      return write(writes, given);
    };
    await append(2);
    runner.start();
    await caughtUp();
    expect(consumer.seen).toEqual([...numbered(1, 2), ...numbered(1, 2)]);
    expect(consumer.takeOvers).toBe(2);
    expect(await store.count('seen')).toBe(2);
  });

  it('of takeOver is tried again before any page', async () => {
    const { runner, consumer } = aProcess('a');
    consumer.onTakeOver = async () => {
      if (consumer.takeOvers === 1) throw new Error('not yet');
    };
    await append(1);
    runner.start();
    await caughtUp();
    expect([consumer.takeOvers, consumer.seen]).toEqual([2, [{ n: 1 }]]);
  });

  it('that lasts, as of a closed log, does not cause a busy loop', async () => {
    const { runner, logger, consumer } = aProcess('a');
    runner.start();
    await eventually(() => consumer.takeOvers === 1);
    await log.close();
    await eventually(() => logger.lines.length >= 2);
    await settled();
    expect(logger.lines.length).toBeLessThan(5);
  });
});

describe('stopping', () => {
  it('waits for the page under way, whose checkpoint is written, and starts no other', async () => {
    const gate = new Gate();
    const { runner, consumer } = aProcess('a');
    consumer.onPage = () => gate.opened;
    await append(1);
    runner.start();
    await eventually(() => consumer.pages === 1);
    const reached = await log.head();
    await append(1);
    let hasStopped = false;
    const stopped = runner.stop().then(() => {
      hasStopped = true;
    });
    await settled();
    expect(hasStopped).toBe(false);
    gate.open();
    await stopped;
    expect([consumer.seen, await checkpoint()]).toEqual([[{ n: 1 }], reached]);
  });

  it('does not wait for the end of a delay', async () => {
    await append(1);
    const took = [];
    // A crowded machine may hold up some of them; a delay of half a second holds up each.
    for (let n = 0; n < 5; n++) {
      const failing = aProcess(`failing-${n}`);
      failing.consumer.onPage = () => Promise.reject(new Error('always'));
      failing.runner.start();
      await eventually(() => failing.logger.lines.length > 0);
      const since = performance.now();
      await failing.runner.stop();
      took.push(performance.now() - since);
    }
    expect(Math.min(...took)).toBeLessThan(450);
  });
});
