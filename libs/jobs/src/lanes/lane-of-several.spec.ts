import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CollectionWrite, LanePositions, type LogPage, StoreUnavailable, streamName } from '#kernel';
import { eventually, FakeClock, Gate, type InMemoryDocumentStore, type InMemoryEventLog, settled } from '#testing';
import { Leases } from '../leases/leases.js';
import { awaitOlderBuilds, type Lane } from './lane.js';
import { LANE, Lanes, numbered, TYPE } from './lanes.fixtures.js';
import type { LaneDefinition, LogConsumer } from './log-consumer.js';

let lanes: Lanes;
let log: InMemoryEventLog;
let store: InMemoryDocumentStore;
let progress: LanePositions;

beforeEach(() => {
  lanes = new Lanes();
  ({ log, store } = lanes);
  progress = new LanePositions(store);
});
afterEach(() => lanes.stop());

const append = (count: number, type?: string) => lanes.append(count, type);
const checkpoint = () => lanes.checkpoint();
const caughtUp = () => lanes.caughtUp();

/** It writes no documents; a test can delay or fail a page. */
class Reaction implements LogConsumer {
  readonly types: ReadonlySet<string>;
  readonly seen: unknown[] = [];
  pages = 0;
  onPage = async (_: LogPage) => undefined as unknown;

  constructor(
    readonly name: string,
    types = [TYPE],
  ) {
    this.types = new Set(types);
  }

  async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    this.pages++;
    await this.onPage(page);
    this.seen.push(...page.events.map(({ data }) => data));
    return [];
  }
}

const laneOf = (
  fence: number,
  consumers: readonly LogConsumer[],
  options: Pick<LaneDefinition, 'behind' | 'isAwaited'> = {},
): Lane => lanes.lane({ consumers, ...options }, fence, { progress }).runner;

describe('a lane of several consumers', () => {
  it('gives each the events of its types, and moves one checkpoint when all have handled a page', async () => {
    const [one, other] = [new Reaction('one'), new Reaction('other', ['other.happened.v1'])];
    const gate = new Gate();
    other.onPage = () => gate.opened;
    await append(1);
    await append(1, 'other.happened.v1');
    await append(1);
    laneOf(1, [one, other]).start();
    await eventually(() => one.seen.length === 2);
    expect(await checkpoint()).toBe(0);
    gate.open();
    await caughtUp();
    expect([one.seen, other.seen]).toEqual([[{ n: 1 }, { n: 3 }], [{ n: 2 }]]);
  });

  it('repeats a consumer that fails alone: those that have ended the page are not called again', async () => {
    const [sound, broken] = [new Reaction('sound'), new Reaction('broken')];
    broken.onPage = async () => {
      if (broken.pages < 3) throw new StoreUnavailable('not yet');
    };
    await append(2);
    laneOf(1, [sound, broken]).start();
    await caughtUp();
    expect([sound.seen, broken.seen]).toEqual([numbered(1, 2), numbered(1, 2)]);
    expect(broken.pages).toBe(3);
  });

  it.each([
    ['that nobody waits for stores', false],
    ['that answers wait for stores', true],
  ])('%s its checkpoint while it has no events: at most once a second, or for each page', async (_, isAwaited) => {
    let stored = 0;
    const write = store.write.bind(store);
    store.write = (writes, checkpoint) => {
      stored++;
      return write(writes, checkpoint);
    };
    const one = new Reaction('one');
    laneOf(1, [one], { isAwaited }).start();
    await append(1);
    await caughtUp();
    const [before, began] = [stored, performance.now()];
    for (let n = 0; n < 20; n++) {
      await append(1, 'other.happened.v1');
      expect(await progress.waitForPosition([LANE], await log.head(), 5_000)).toBe(true);
    }
    if (isAwaited) expect(stored - before).toBe(20);
    else expect(stored - before).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 1_000));
    await caughtUp();
    await append(1);
    await eventually(() => one.seen.length === 2);
    await caughtUp();
  });

  it('goes on although one cannot process an event, which is set aside for that one (D67)', async () => {
    const [sound, broken] = [new Reaction('sound'), new Reaction('broken')];
    broken.onPage = async ({ events }) => {
      if (events.some(({ data }) => Reflect.get(data, 'n') === 2)) throw new TypeError('of an event');
    };
    await append(3);
    laneOf(1, [sound, broken]).start();
    await caughtUp();
    expect([sound.seen, broken.seen]).toEqual([numbered(1, 3), [{ n: 1 }, { n: 3 }]]);
  });

  it('refuses documents of a consumer, because the checkpoint of all is not written with them', async () => {
    const [sound, writing] = [new Reaction('sound'), new Reaction('writing')];
    await store.ensure([{ name: 'things', indexes: [] }]);
    writing.handle = async () => [{ collection: 'things', put: [{ id: 'a' }] }];
    await append(1);
    laneOf(1, [sound, writing]).start();
    await caughtUp();
    const [deadLetter] = await log.readStream(
      streamName('setAside', `writing:${(await log.readStream('thing-1'))[0]?.id}`),
    );
    expect(deadLetter?.data).toMatchObject({ runner: 'writing' });
    expect([sound.seen, await store.count('things')]).toEqual([numbered(1, 1), 0]);
  });

  it('goes on from what an older build has stored for each, so that no event comes twice', async () => {
    await append(4);
    const positions = (await log.readStream('thing-1')).map(({ position }) => position);
    const [first = 0, , third = 0] = positions;
    await store.write([], { name: 'one', position: third, fence: 9 });
    await store.write([], { name: 'other', position: first, fence: 7 });
    const run = async () => {
      const consumers = [new Reaction('one'), new Reaction('other'), new Reaction('added')];
      const runner = laneOf(1, consumers);
      runner.start();
      await caughtUp();
      await runner.stop();
      return consumers.map(({ seen }) => seen);
    };
    expect(await run()).toEqual([numbered(4, 4), numbered(2, 4), numbered(2, 4)]);
    expect(await store.checkpoint('one')).toMatchObject({ position: third, fence: 9 });
    await append(1);
    expect(await run()).toEqual([numbered(5, 5), numbered(5, 5), numbered(5, 5)]);
  });

  it('keeps what an older build has stored in its own checkpoint until it has passed that', async () => {
    await append(4);
    const positions = (await log.readStream('thing-1')).map(({ position }) => position);
    const [first = 0, , third = 0] = positions;
    await store.write([], { name: 'one', position: third, fence: 9 });
    await store.write([], { name: 'other', position: first, fence: 7 });
    const killed = [new Reaction('one'), new Reaction('other')];
    for (const each of killed) each.onPage = () => Promise.reject(new StoreUnavailable('killed'));
    const runner = laneOf(1, killed);
    runner.start();
    await eventually(() => killed.every(({ pages }) => pages > 0));
    await runner.stop();
    expect((await store.checkpoint(LANE))?.event?.floors).toEqual({ one: third });
    await store.write([], { name: 'one', position: first, fence: 10 });
    const next = [new Reaction('one'), new Reaction('other')];
    laneOf(2, next).start();
    await caughtUp();
    expect(next.map(({ seen }) => seen)).toEqual([numbered(4, 4), numbered(2, 4)]);
    expect((await store.checkpoint(LANE))?.event?.floors).toBeUndefined();
  });

  it('D80, D84, D92: a lane behind another handles a page when that one has passed it in this process', async () => {
    const consumer = new Reaction('a');
    const lane = laneOf(1, [consumer], { behind: 'views' });
    await append(1);
    // Another process has left this, maybe of another version or another log.
    await store.write([], { name: 'views', position: await log.head(), fence: 1 });
    lane.start();
    await settled();
    expect(consumer.pages).toBe(0);
    progress.report('views', await log.head());
    await caughtUp();
    expect(consumer.seen).toEqual([{ n: 1 }]);
  });

  it('a lane that starts at the end of the log holds up none behind it', async () => {
    await append(1);
    const earlier = laneOf(1, [new Reaction('a')]);
    earlier.start();
    await caughtUp();
    await earlier.stop();
    laneOf(2, [new Reaction('a')]).start();
    await progress.waitForOwn(LANE, await log.head(), new AbortController().signal);
  });
});

it('waits for the runners of an older build until their leases have not changed for six seconds, and releases them', async () => {
  const clock = new FakeClock();
  const names = ['one', 'other'].map((name) => `runner:${name}`);
  for (const name of names) await store.acquireLease(name, 'elsewhere/1/1/', 0, 1);
  let isOver = false;
  const leases = new Leases(store, clock, 'here/1/1/');
  const waiting = awaitOlderBuilds(['one', 'other', 'none'], store, leases, new AbortController().signal).then(() => {
    isOver = true;
  });
  await settled();
  expect(isOver).toBe(false);
  clock.advance(6_000);
  await waiting;
  expect(await Promise.all(names.map((name) => store.lease(name)))).toEqual([undefined, undefined]);
});
