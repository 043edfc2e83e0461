import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { InMemoryEventLog } from '#event-log';
import {
  CommandRunner,
  DomainError,
  type DueHandler,
  type DueOutcome,
  dueItem,
  HOUR,
  MINUTE,
  NEVER,
  NO_TIME_LIMIT,
  SECOND,
  type StoredDueItem,
  StoreUnavailable,
} from '#kernel';
import { eventually, FakeClock, Gate, RecordingLogger, settled } from '#testing';
import { workspaceId } from '../../../kernel/src/deciding/tally.fixtures.js';
import { holderName } from '../leases/holder.js';
import type { Aside } from '../set-asides/set-aside.js';
import { SetAsides } from '../set-asides/set-asides.js';
import { DueRunner } from './due-runner.js';
import { CLAIM_TTL, DUE_WORK_INDEXES, DueWork } from './due-work.js';

const START = 1_000_000;

let store: InMemoryDocumentStore;
let clock: FakeClock;
let logger: RecordingLogger;
let running: DueRunner[];
/** Records what was set aside. */
let recorded: Aside[];

class RecordingAsides extends SetAsides {
  override record(aside: Aside, ...given: [error: unknown, cause: Parameters<SetAsides['record']>[2]]) {
    recorded.push(aside);
    return super.record(aside, ...given);
  }
}
let asides: SetAsides;

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'due', indexes: DUE_WORK_INDEXES }]);
  clock = new FakeClock(START);
  logger = new RecordingLogger();
  running = [];
  recorded = [];
  asides = new RecordingAsides(new CommandRunner(new InMemoryEventLog(), clock));
  position = 0;
});

afterEach(async () => {
  await Promise.all(running.map((runner) => runner.stop()));
});

const cause = { id: 'e1', correlationId: 'req_1' };

let position = 0;
const makeDue = (kind: string, subject: string, dueAt = START) => {
  position += 3;
  const item = { ...dueItem(kind, subject, workspaceId, dueAt, cause), position };
  return store.write([{ collection: 'due', put: [item] }]);
};
const settle = (id: string) => store.write([{ collection: 'due', remove: [id] }]);
const stored = (id: string) => store.get<StoredDueItem>('due', id);

/** Handles items of one kind, and records them. */
class Worker implements DueHandler {
  readonly done: string[] = [];
  most = 0;
  private busy = 0;

  constructor(
    readonly kind: string,
    private readonly work: (item: StoredDueItem, now: number) => Promise<DueOutcome> | DueOutcome,
    readonly concurrency = 4,
    readonly ttl = MINUTE,
    readonly maxSlow = concurrency,
  ) {}

  async handle(item: StoredDueItem, now: number): Promise<DueOutcome> {
    this.most = Math.max(this.most, ++this.busy);
    this.done.push(item.subject);
    try {
      return await this.work(item, now);
    } finally {
      this.busy--;
    }
  }
}

/** Does what an event that ends the work would do. */
const settling = async ({ id }: StoredDueItem): Promise<DueOutcome> => {
  await settle(id);
  return 'done';
};

const aProcess = (handlers: readonly DueHandler[], host = 'host-a', renewEvery?: number) => {
  const work = new DueWork(store, async () => 'due', `${host}/1/1/`);
  const runner = new DueRunner(work, handlers, clock, asides, logger, renewEvery);
  running.push(runner);
  return runner;
};

describe('a due item', () => {
  it('is handled by its kind, and an item that is not yet due is not', async () => {
    const [scans, walks] = [new Worker('scan', settling), new Worker('walk', settling)];
    const runner = aProcess([scans, walks]);
    await makeDue('scan', 'a');
    await makeDue('walk', 'b');
    await makeDue('scan', 'c', START + 1);
    await makeDue('unknown', 'd');
    expect(await runner.runDue(START)).toBe(2);
    expect([scans.done, walks.done]).toEqual([['a'], ['b']]);
    expect(await runner.runDue(START + 1)).toBe(1);
    expect(await runner.runDue(START + MINUTE)).toBe(0);
  });

  it('is handled once by several processes', async () => {
    const workers = ['host-a', 'host-b', 'host-c'].map((host) => ({ host, worker: new Worker('scan', settling, 20) }));
    for (let n = 0; n < 20; n++) await makeDue('scan', `s${n}`);
    const runners = workers.map(({ host, worker }) => aProcess([worker], host));
    await Promise.all(runners.map((runner) => runner.runDue(START)));
    const done = workers.flatMap(({ worker }) => worker.done);
    expect([done.length, new Set(done).size]).toEqual([20, 20]);
  });

  it('waits if as many of its kind as allowed are in flight, and does not wait for other kinds', async () => {
    const gate = new Gate();
    const held = async (item: StoredDueItem): Promise<DueOutcome> => {
      await gate.opened;
      return settling(item);
    };
    const [few, many] = [new Worker('scan', held, 2), new Worker('scanlike', held, 3)];
    for (let n = 0; n < 5; n++) for (const kind of ['scan', 'scanlike']) await makeDue(kind, `s${n}`);
    const runner = aProcess([few, many]);
    runner.start(Promise.resolve());
    await eventually(() => few.done.length === 2 && many.done.length === 3);
    const { polls } = runner.activity;
    runner.nudge();
    await eventually(() => runner.activity.polls > polls);
    expect([few.done.length, many.done.length]).toEqual([2, 3]);
    gate.open();
    await eventually(async () => (await store.count('due')) === 0);
    expect([few.most, many.most]).toEqual([2, 3]);
    expect([...few.done].sort()).toEqual(['s0', 's1', 's2', 's3', 's4']);
  });

  it('runs while slow items are in flight, whose number is bounded', async () => {
    const gate = new Gate();
    const walk = new Worker('walk', () => gate.opened.then(() => 'done' as const), 3, NO_TIME_LIMIT, 1);
    for (let n = 0; n < 20; n++) await makeDue('walk', `w${n}`);
    const runner = aProcess([walk]);
    const begun = [];
    const runs = [];
    for (const seconds of [0, 29, 30, 59, 60, 90, 120, 150]) {
      clock.set(START + seconds * SECOND);
      const before = walk.done.length;
      runs.push(runner.runDue(clock.now()));
      await settled();
      begun.push(walk.done.length - before);
    }
    // Slow items together take one of the three permits, and never are there more than nine.
    expect(begun).toEqual([3, 0, 2, 0, 2, 2, 0, 0]);
    gate.open();
    await Promise.all(runs);
  });

  it('is handled again at retryAt', async () => {
    const worker = new Worker('scan', (_, now) => ({ retryAt: now + 5 * SECOND }));
    const runner = aProcess([worker]);
    await makeDue('scan', 'a');
    await runner.runDue(START);
    expect(await runner.runDue(START + 5 * SECOND - 1)).toBe(0);
    expect(await runner.runDue(START + 5 * SECOND)).toBe(1);
  });

  it('is taken over soon from a process that hangs, which then cannot change it', async () => {
    const gate = new Gate();
    const slow = new Worker('scan', async () => {
      await gate.opened;
      return { retryAt: START + 500 * MINUTE };
    });
    const quick = new Worker('scan', (_, now) => ({ retryAt: now + 3 * SECOND }));
    await makeDue('scan', 'a');
    const late = aProcess([slow], 'host-a').runDue(START);
    await eventually(() => slow.done.length === 1);
    const other = aProcess([quick], 'host-b');
    expect(await other.runDue(START + CLAIM_TTL - 1)).toBe(0);
    expect(await other.runDue(START + CLAIM_TTL)).toBe(1);
    gate.open();
    await late;
    expect(await stored('scan-a')).toMatchObject({ readyAt: START + CLAIM_TTL + 3 * SECOND, claimedBy: null });
  });

  it('stays claimed while it is in flight, up to the ttl of its kind', async () => {
    const gate = new Gate();
    const walk = new Worker('walk', () => gate.opened.then(() => 'done' as const), 1, 60 * MINUTE);
    await makeDue('walk', 'a');
    const first = aProcess([walk], 'host-a', 1).runDue(START);
    await eventually(() => walk.done.length === 1);
    const other = new Worker('walk', settling);
    const elsewhere = aProcess([other], 'host-b');
    for (let minutes = 1; minutes <= 59; minutes += 29) {
      clock.set(START + minutes * MINUTE);
      await eventually(async () => ((await stored('walk-a'))?.readyAt ?? 0) >= clock.now() + CLAIM_TTL);
      expect(await elsewhere.runDue(clock.now())).toBe(0);
    }
    clock.set(START + 60 * MINUTE + CLAIM_TTL);
    expect(await elsewhere.runDue(clock.now())).toBe(1);
    gate.open();
    await first;
  });

  it('stays claimed while it is in flight, if its kind has no time limit', async () => {
    const gate = new Gate();
    const walk = new Worker('walk', () => gate.opened.then(() => ({ retryAt: NEVER })), 1, NO_TIME_LIMIT);
    await makeDue('walk', 'a');
    const first = aProcess([walk], 'host-a', 1).runDue(START);
    await eventually(() => walk.done.length === 1);
    const elsewhere = aProcess([new Worker('walk', settling)], 'host-b');
    for (const hours of [1, 2, 30]) {
      clock.set(START + hours * HOUR);
      await eventually(async () => ((await stored('walk-a'))?.readyAt ?? 0) >= clock.now() + CLAIM_TTL);
      expect(await elsewhere.runDue(clock.now())).toBe(0);
    }
    gate.open();
    await first;
    expect(await stored('walk-a')).toMatchObject({ readyAt: NEVER, claimedBy: null });
  });

  it('stays claimed though a renewal fails, and is not renewed after its end', async () => {
    const gate = new Gate();
    const slow = new Worker('scan', () => gate.opened.then(() => ({ retryAt: START + 500 * MINUTE })));
    await makeDue('scan', 'a');
    const runner = aProcess([slow], 'host-a', 1);
    const first = runner.runDue(START);
    await eventually(() => slow.done.length === 1);
    const compareAndSet = store.compareAndSet.bind(store);
    let failed = 0;
    store.compareAndSet = () => Promise.reject(new Error(`on fire ${++failed}`));
    await eventually(() => failed > 2);
    store.compareAndSet = compareAndSet;
    clock.set(START + CLAIM_TTL / 2);
    await eventually(async () => (await stored('scan-a'))?.readyAt === START + CLAIM_TTL / 2 + CLAIM_TTL);
    gate.open();
    await first;
    expect(await stored('scan-a')).toMatchObject({ readyAt: START + 500 * MINUTE, claimedBy: null });
  });
});

describe('an item that an event makes due again while it is in flight', () => {
  it('is not started a second time in this process, and is handled soon after', async () => {
    const gate = new Gate();
    const worker: Worker = new Worker('scan', async (item) => {
      if (worker.done.length === 1) await gate.opened;
      return worker.done.length === 1 ? { retryAt: START + 500 * MINUTE } : settling(item);
    });
    const runner = aProcess([worker]);
    await makeDue('scan', 'a');
    const first = runner.runDue(START);
    await eventually(() => worker.done.length === 1);
    await makeDue('scan', 'a', START + SECOND);
    expect(await runner.runDue(START + SECOND)).toBe(0);
    expect([worker.done, worker.most]).toEqual([['a'], 1]);
    gate.open();
    await first;
    expect(await runner.runDue(START + 2 * SECOND)).toBe(1);
    expect([worker.done, await store.count('due')]).toEqual([['a', 'a'], 0]);
  });
});

describe('a failure', () => {
  it('postpones the item, longer each time up to five minutes, and starts again after a success', async () => {
    let isBroken = true;
    const worker = new Worker('scan', (_, now) => {
      if (isBroken) throw new DomainError('provider_unavailable');
      return { retryAt: now };
    });
    const runner = aProcess([worker]);
    await makeDue('scan', 'a');
    const waits: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      await runner.runDue(clock.now());
      const readyAt = (await stored('scan-a'))?.readyAt ?? 0;
      waits.push((readyAt - clock.now()) / SECOND);
      clock.set(readyAt);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    expect(await stored('scan-a')).toMatchObject({ failures: 11, claimedBy: null });
    isBroken = false;
    await runner.runDue(clock.now());
    expect(await stored('scan-a')).toMatchObject({ failures: 0 });
    expect(logger.lines).toHaveLength(11);
    expect(logger.lines[0]).toMatchObject({ level: 'warn', fields: { item: 'scan-a', failures: 1 } });
  });

  it('of the work itself sets the item aside at the third try; one of a store or a provider does not count (D67)', async () => {
    const errors = [new StoreUnavailable('gone'), new TypeError('x'), new DomainError('provider_timeout')];
    errors.push(new TypeError('x'), new StoreUnavailable('gone'), new TypeError('x'));
    const worker = new Worker('scan', async () => {
      throw errors.shift();
    });
    const runner = aProcess([worker]);
    await makeDue('scan', 'a');
    while (errors.length > 0) {
      expect(recorded).toEqual([]);
      await runner.runDue(clock.now());
      clock.set((await stored('scan-a'))?.readyAt ?? 0);
    }
    const { cause } = (await stored('scan-a')) ?? {};
    const item = { kind: 'dueItem', itemId: 'scan-a', dueKind: 'scan', subject: 'a', cause };
    expect(recorded).toEqual([{ runner: 'due-work', part: null, item }]);
  });

  it('of one item does not affect others', async () => {
    const worker = new Worker('scan', (item) => {
      if (item.subject === 'bad') throw new Error('always');
      return settling(item);
    });
    await makeDue('scan', 'bad');
    await makeDue('scan', 'good');
    await aProcess([worker]).runDue(START);
    expect(await stored('scan-good')).toBeUndefined();
  });

  it('to postpone counts as a failure, and the claim expires if nothing can be written', async () => {
    const worker = new Worker('scan', () => ({ retryAt: START }));
    await makeDue('scan', 'a');
    const compareAndSet = store.compareAndSet.bind(store);
    let writes = 0;
    store.compareAndSet = (...given) =>
      ++writes === 1 ? compareAndSet(...given) : Promise.reject(new Error('on fire'));
    const runner = aProcess([worker]);
    await runner.runDue(START);
    store.compareAndSet = compareAndSet;
    expect(await runner.runDue(START + CLAIM_TTL - 1)).toBe(0);
    expect(await runner.runDue(START + CLAIM_TTL)).toBe(1);
  });

  it('of the store is retried as long as it lasts', async () => {
    const worker = new Worker('scan', settling);
    const find = store.find.bind(store);
    store.find = () => Promise.reject(new Error('on fire'));
    const runner = aProcess([worker]);
    runner.start(Promise.resolve());
    await eventually(() => logger.lines.length > 0);
    expect(logger.lines[0]).toMatchObject({ level: 'error' });
    store.find = find;
    await makeDue('scan', 'a');
    runner.nudge();
    await eventually(() => worker.done.length === 1);
  });
});

describe('a started runner', () => {
  it('claims nothing before the read model is ready', async () => {
    const ready = new Gate();
    const worker = new Worker('scan', settling);
    await makeDue('scan', 'a');
    const runner = aProcess([worker]);
    runner.start(ready.opened);
    runner.nudge();
    await settled();
    expect([worker.done, await stored('scan-a')]).toMatchObject([[], { claims: 0 }]);
    ready.open();
    await eventually(() => worker.done.length === 1);
  });

  it('polls when an item becomes due, and for items that other processes make due', async () => {
    const worker = new Worker('scan', settling);
    aProcess([worker]).start(Promise.resolve());
    await makeDue('scan', 'late', START + 20);
    await settled();
    clock.advance(20);
    await eventually(() => worker.done.length === 1);
    await makeDue('scan', 'elsewhere');
    await eventually(() => worker.done.length === 2);
  });

  it.each(Array.from({ length: 8 }, (_, turns) => turns))(
    'does not miss a nudge that comes %i microtasks after its last look began',
    async (turns) => {
      const worker = new Worker('scan', settling);
      const work = new DueWork(store, async () => 'due', 'host-a/1/1/');
      let polls = 0;
      const nextReady = work.nextReady.bind(work);
      work.nextReady = (after) => {
        polls++;
        return nextReady(after);
      };
      const runner = new DueRunner(work, [worker], clock, asides, logger);
      running.push(runner);
      runner.start(Promise.resolve());
      await eventually(() => polls === 1);
      runner.nudge();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await makeDue('scan', 'a');
      const since = performance.now();
      runner.nudge();
      await eventually(() => worker.done.length === 1);
      // Otherwise it would have slept for half a second.
      expect(performance.now() - since).toBeLessThan(450);
    },
  );

  it('starts a waiting item as soon as another one ends', async () => {
    const gates = [new Gate(), new Gate(), new Gate()];
    const worker: Worker = new Worker(
      'scan',
      async (item) => {
        await gates[worker.done.length - 1]?.opened;
        return settling(item);
      },
      1,
    );
    for (let n = 0; n < 3; n++) await makeDue('scan', `s${n}`);
    aProcess([worker]).start(Promise.resolve());
    for (const [n, gate] of gates.entries()) {
      await eventually(() => worker.done.length === n + 1);
      await settled();
      const since = performance.now();
      gate.open();
      await eventually(() => worker.done.length === Math.min(n + 2, 3));
      // Otherwise it would have slept for half a second.
      expect(performance.now() - since).toBeLessThan(450);
    }
  });

  it('releases the claims of a process that died on this host', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await makeDue('scan', 'a');
    const dead = new DueWork(store, async () => 'due', `${holderName().split('/')[0]}/${pid}/1/`);
    await dead.claimDue(new Map([['scan', 1]]), START);
    const worker = new Worker('scan', settling);
    aProcess([worker]).start(Promise.resolve());
    await eventually(() => worker.done.length === 1);
  });

  it('starts the items behind one that is due again while it is in flight', async () => {
    const gate = new Gate();
    const worker: Worker = new Worker(
      'scan',
      (item) => (item.subject === 'a' ? gate.opened : Promise.resolve()).then(() => settling(item)),
      2,
    );
    await makeDue('scan', 'a', START - 5);
    aProcess([worker]).start(Promise.resolve());
    await eventually(() => worker.done.length === 1);
    await makeDue('scan', 'a', START - 2);
    await makeDue('scan', 'b', START - 1);
    const since = performance.now();
    running.at(-1)?.nudge();
    await eventually(() => worker.done.length === 2);
    // Otherwise it would have slept for half a second.
    expect(performance.now() - since).toBeLessThan(450);
    gate.open();
  });

  it('reads once for all kinds while none is due', async () => {
    await makeDue('scan', 'late', START + MINUTE);
    const queries: unknown[] = [];
    const find = store.find.bind(store);
    store.find = (collection, query) => {
      queries.push(query);
      return find(collection, query);
    };
    const runner = aProcess(['scan', 'walk', 'slot'].map((kind) => new Worker(kind, settling)));
    runner.start(Promise.resolve());
    await eventually(() => runner.activity.polls === 1);
    await settled();
    const [ofTheDead, ...polls] = queries;
    expect([ofTheDead, polls]).toEqual([
      { index: 'next', gt: START, lte: START + 2 * CLAIM_TTL, limit: 1_000 },
      [{ index: 'next', gt: -1, limit: 1 }],
    ]);
  });

  it('sleeps if there is nothing to do', async () => {
    let polls = 0;
    const find = store.find.bind(store);
    store.find = (...given) => {
      polls++;
      return find(...given);
    };
    aProcess([new Worker('scan', settling)]).start(Promise.resolve());
    await eventually(() => polls > 0);
    const since = performance.now();
    await eventually(() => performance.now() > since + 30);
    expect(polls).toBeLessThan(10);
  });
});

describe('stopping', () => {
  it('waits for the items in flight, and starts no other', async () => {
    const gate = new Gate();
    const worker = new Worker('scan', async (item) => {
      await gate.opened;
      return settling(item);
    });
    const runner = aProcess([worker]);
    await makeDue('scan', 'a');
    runner.start(Promise.resolve());
    await eventually(() => worker.done.length === 1);
    let hasStopped = false;
    const stopped = runner.stop().then(() => {
      hasStopped = true;
    });
    await makeDue('scan', 'b');
    runner.nudge();
    await settled();
    expect([hasStopped, runner.isStopping]).toEqual([false, true]);
    gate.open();
    await stopped;
    expect([worker.done, await stored('scan-a')]).toEqual([['a'], undefined]);
    expect(await stored('scan-b')).toMatchObject({ claims: 0 });
  });

  it('does not wait for the end of a sleep, may be repeated, and may come before the start', async () => {
    const runner = aProcess([new Worker('scan', settling)]);
    runner.start(Promise.resolve());
    await settled();
    const since = performance.now();
    await Promise.all([runner.stop(), runner.stop()]);
    await aProcess([]).stop();
    expect(performance.now() - since).toBeLessThan(450);
  });
});
