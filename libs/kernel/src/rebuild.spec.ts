import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { InMemoryEventLog } from '#event-log';
import {
  type Document,
  Leases,
  LIVE_COLLECTIONS,
  type LiveCollection,
  type LogConsumer,
  LogRunner,
  liveOnes,
  newEventId,
  Progress,
  type Projection,
  project,
  projection,
  Rebuild,
  silentLogger,
  systemClock,
  takeCheckpoint,
  typesOf,
} from './index.js';

type Counted = { readonly type: 'counted.v1'; readonly data: { readonly what: string } };
interface Count extends Document {
  readonly count: number;
}

/** Counts events, so that one that is missed or taken twice shows. */
const counts = (version: number, step = 1): Projection =>
  projection<Count, Counted>({
    name: 'counts',
    version,
    indexes: [],
    on: {
      'counted.v1': {
        documents: ({ data }) => data.what,
        fold: (before, { data }) => ({ id: data.what, count: (before?.count ?? 0) + step }),
      },
    },
  }) as Projection;

const RUNNER = 'views';

let log: InMemoryEventLog;
let store: InMemoryDocumentStore;

beforeEach(async () => {
  log = new InMemoryEventLog();
  store = new InMemoryDocumentStore();
  await store.ensure([LIVE_COLLECTIONS, { name: 'counts_v1_1', indexes: [] }]);
  const live: LiveCollection = { id: 'counts', collection: 'counts_v1_1', version: 1 };
  await store.write([{ collection: LIVE_COLLECTIONS.name, put: [live] }]);
});

afterEach(() => log.close());

const append = (what: string) =>
  log.append(`counted-${what}`, 'any', [
    {
      id: newEventId(),
      type: 'counted.v1',
      data: { what },
      metadata: { at: 1, correlationId: 'r', causationId: null, actor: 'test', workspaceId: null },
    },
  ]);

const rebuild = () => new Rebuild(RUNNER, log, store, systemClock);
const live = async (): Promise<LiveCollection | undefined> => (await liveOnes(store, [counts(1)])).get('counts');
const liveCount = async (what: string) => (await store.get<Count>((await live())?.collection ?? '', what))?.count;

/** What keeps the live collection in a process of its own; it can be held up before a page. */
class Views implements LogConsumer {
  readonly name = RUNNER;
  readonly types;
  private collection = '';

  constructor(
    private readonly kept: Projection,
    private readonly meanwhile: () => Promise<void> = async () => undefined,
  ) {
    this.types = typesOf([kept]);
  }

  async takeOver() {
    const current = await live();
    if (current?.version !== this.kept.version) throw new Error('another version');
    this.collection = current.collection;
  }

  async handle(page: Parameters<LogConsumer['handle']>[0]) {
    const writes = await project(store, [{ projection: this.kept, collection: this.collection }], page.events);
    await this.meanwhile();
    return writes;
  }
}

const running = (views: Views, holder: string) => {
  const leases = new Leases(store, systemClock, holder);
  const progress = new Progress(store);
  const runner = new LogRunner(views, log, store, leases, progress, silentLogger);
  runner.start();
  const reached = async () => expect(await progress.passed([RUNNER], await log.head(), 10_000)).toBe(true);
  return { runner, reached };
};

describe('a rebuild', () => {
  test('fills another collection from the whole log, switches to it and drops the one before', async () => {
    for (let n = 0; n < 7; n++) await append('a');
    const head = await log.head();
    await rebuild().run([counts(1)]);
    expect(await live()).toEqual({ id: 'counts', collection: 'counts_v1_2', version: 1 });
    expect(await liveCount('a')).toBe(7);
    expect(await log.head()).toBe(head);
    await expect(store.count('counts_v1_1')).rejects.toThrow('counts_v1_1');
  });

  test('of what an earlier one left half done begins anew', async () => {
    await append('a');
    await store.ensure([{ name: 'counts_v1_2', indexes: [] }]);
    await store.write([{ collection: 'counts_v1_2', put: [{ id: 'stray' }] }]);
    await rebuild().run([counts(1)]);
    expect(await store.count('counts_v1_2')).toBe(1);
  });

  test('leaves the live collection as it is when it is broken off', async () => {
    await append('a');
    const stop = new AbortController();
    stop.abort();
    await expect(rebuild().run([counts(1)], stop.signal)).rejects.toBe(stop.signal.reason);
    expect((await live())?.collection).toBe('counts_v1_1');
  });

  test('takes turns with another one', async () => {
    await append('a');
    await Promise.all([rebuild().run([counts(1)]), rebuild().run([counts(1)])]);
    expect((await live())?.collection).toBe('counts_v1_3');
    expect(await liveCount('a')).toBe(1);
  });
});

describe('a changed version', () => {
  test('is made from the whole log, though the runner has long passed it', async () => {
    for (let n = 0; n < 3; n++) await append('a');
    await store.write([], { name: RUNNER, position: await log.head(), fence: 1 });
    await rebuild().runOutdated([counts(2, 10)]);
    expect(await live()).toEqual({ id: 'counts', collection: 'counts_v2_2', version: 2 });
    expect(await liveCount('a')).toBe(30);
    expect((await store.checkpoint(RUNNER))?.position).toBe(await log.head());
  });

  test('is made once, also by two that start at once', async () => {
    await Promise.all([rebuild().runOutdated([counts(2)]), rebuild().runOutdated([counts(2)])]);
    expect((await live())?.collection).toBe('counts_v2_2');
  });

  test('leaves what is of this version alone', async () => {
    await rebuild().runOutdated([counts(1)]);
    expect((await live())?.collection).toBe('counts_v1_1');
  });

  test('takes the runner away from a process of another version, and lets one of its own have it', async () => {
    await append('a');
    const old = running(new Views(counts(1)), 'old');
    await old.reached();
    await rebuild().runOutdated([counts(2, 10)]);
    const current = running(new Views(counts(2, 10)), 'new');
    await append('a');
    await current.reached();
    expect(await liveCount('a')).toBe(20);
    await Promise.all([old.runner.stop(), current.runner.stop()]);
  });
});

describe('beside a running runner', () => {
  test('nothing is lost and nothing is taken twice, whatever is appended meanwhile', async () => {
    for (let n = 0; n < 2_000; n++) await append(`k${n % 10}`);
    const { runner, reached } = running(new Views(counts(1), () => delay(1)), 'other');
    await reached();
    let appending = true;
    let appended = 2_000;
    const writer = (async () => {
      for (; appending; appended++) {
        await append(`k${appended % 10}`);
        if (appended % 5 === 0) await delay(1);
      }
    })();
    await rebuild().run([counts(1)]);
    await rebuild().run([counts(1)]);
    appending = false;
    await writer;
    await reached();
    await runner.stop();
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => liveCount(`k${n}`)));
    expect(all.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(appended);
    expect((await live())?.collection).toBe('counts_v1_3');
  });

  test('a page that was under way at the switch is refused, and handled again by the next runner', async () => {
    await append('a');
    let proceed: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const { runner, reached } = running(new Views(counts(1), () => held), 'other');
    await delay(20);
    await rebuild().run([counts(1)]);
    expect(await liveCount('a')).toBe(1);
    await append('a');
    proceed();
    await reached();
    expect(await liveCount('a')).toBe(2);
    await runner.stop();
  });
});

test('who takes a checkpoint keeps its position and shuts out whoever had it', async () => {
  await store.write([], { name: RUNNER, position: 12, fence: 3 });
  expect(await takeCheckpoint(store, RUNNER, 4)).toBe(12);
  await expect(store.write([], { name: RUNNER, position: 15, fence: 3 })).rejects.toThrow(RUNNER);
});
