import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { eventually, FakeClock, Gate, RecordingLogger, settled } from '#testing';
import { type DueHandler, type DueOutcome, DueRunner } from './due-runner.js';
import { CLAIM, DUE_WORK_INDEXES, DueWork, dueItem, type StoredDueItem } from './due-work.js';
import { holderName } from './holder.js';
import { MINUTE, SECOND } from './instant.js';
import { workspaceId } from './tally.examples.js';

const START = 1_000_000;

let store: InMemoryDocumentStore;
let clock: FakeClock;
let logger: RecordingLogger;
let running: DueRunner[];

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'due', indexes: DUE_WORK_INDEXES }]);
  clock = new FakeClock(START);
  logger = new RecordingLogger();
  running = [];
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

/** Does work of one kind, and remembers it. */
class Worker implements DueHandler {
  readonly done: string[] = [];
  most = 0;
  private busy = 0;

  constructor(
    readonly kind: string,
    private readonly work: (item: StoredDueItem, now: number) => Promise<DueOutcome> | DueOutcome,
    readonly concurrency = 4,
    readonly ttl = MINUTE,
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

/** What an event that ends the work would do. */
const settling = async ({ id }: StoredDueItem): Promise<DueOutcome> => {
  await settle(id);
  return 'moved_on';
};

const aProcess = (handlers: readonly DueHandler[], host = 'host-a', renewEvery?: number) => {
  const work = new DueWork(store, async () => 'due', `${host}/1/1/`);
  const runner = new DueRunner(work, handlers, clock, logger, renewEvery);
  running.push(runner);
  return runner;
};

describe('what is due', () => {
  it('is done as its kind says, and what is not yet due is left', async () => {
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

  it('is done once by several processes', async () => {
    const workers = ['host-a', 'host-b', 'host-c'].map((host) => ({ host, worker: new Worker('scan', settling, 20) }));
    for (let n = 0; n < 20; n++) await makeDue('scan', `s${n}`);
    const runners = workers.map(({ host, worker }) => aProcess([worker], host));
    await Promise.all(runners.map((runner) => runner.runDue(START)));
    const done = workers.flatMap(({ worker }) => worker.done);
    expect([done.length, new Set(done).size]).toEqual([20, 20]);
  });

  it('is done for no more items of a kind at once than it allows, and for other kinds besides', async () => {
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
    const { looks } = runner.activity;
    runner.nudge();
    await eventually(() => runner.activity.looks > looks);
    expect([few.done.length, many.done.length]).toEqual([2, 3]);
    gate.open();
    await eventually(async () => (await store.count('due')) === 0);
    expect([few.most, many.most]).toEqual([2, 3]);
    expect([...few.done].sort()).toEqual(['s0', 's1', 's2', 's3', 's4']);
  });

  it('is looked at again when its handler says', async () => {
    const worker = new Worker('scan', (_, now) => ({ again: now + 5 * SECOND }));
    const runner = aProcess([worker]);
    await makeDue('scan', 'a');
    await runner.runDue(START);
    expect(await runner.runDue(START + 5 * SECOND - 1)).toBe(0);
    expect(await runner.runDue(START + 5 * SECOND)).toBe(1);
  });

  it('is taken over from a process that stands still, soon, and the late one changes nothing', async () => {
    const gate = new Gate();
    const slow = new Worker('scan', async () => {
      await gate.opened;
      return { again: START + 500 * MINUTE };
    });
    const quick = new Worker('scan', (_, now) => ({ again: now + 3 * SECOND }));
    await makeDue('scan', 'a');
    const late = aProcess([slow], 'host-a').runDue(START);
    await eventually(() => slow.done.length === 1);
    const other = aProcess([quick], 'host-b');
    expect(await other.runDue(START + CLAIM - 1)).toBe(0);
    expect(await other.runDue(START + CLAIM)).toBe(1);
    gate.open();
    await late;
    expect(await stored('scan-a')).toMatchObject({ readyAt: START + CLAIM + 3 * SECOND, claimedBy: null });
  });

  it('stays claimed for as long as it is worked on, up to the time that its kind may need', async () => {
    const gate = new Gate();
    const walk = new Worker('walk', () => gate.opened.then(() => 'moved_on' as const), 1, 60 * MINUTE);
    await makeDue('walk', 'a');
    const first = aProcess([walk], 'host-a', 1).runDue(START);
    await eventually(() => walk.done.length === 1);
    const other = new Worker('walk', settling);
    const elsewhere = aProcess([other], 'host-b');
    for (let minutes = 1; minutes <= 59; minutes += 29) {
      clock.set(START + minutes * MINUTE);
      await eventually(async () => ((await stored('walk-a'))?.readyAt ?? 0) >= clock.now() + CLAIM);
      expect(await elsewhere.runDue(clock.now())).toBe(0);
    }
    clock.set(START + 60 * MINUTE + CLAIM);
    expect(await elsewhere.runDue(clock.now())).toBe(1);
    gate.open();
    await first;
  });

  it('stays claimed though a renewal fails, and is renewed no more once it is over', async () => {
    const gate = new Gate();
    const slow = new Worker('scan', () => gate.opened.then(() => ({ again: START + 500 * MINUTE })));
    await makeDue('scan', 'a');
    const runner = aProcess([slow], 'host-a', 1);
    const first = runner.runDue(START);
    await eventually(() => slow.done.length === 1);
    const compareAndSet = store.compareAndSet.bind(store);
    let failed = 0;
    store.compareAndSet = () => Promise.reject(new Error(`on fire ${++failed}`));
    await eventually(() => failed > 2);
    store.compareAndSet = compareAndSet;
    clock.set(START + CLAIM / 2);
    await eventually(async () => (await stored('scan-a'))?.readyAt === START + CLAIM / 2 + CLAIM);
    gate.open();
    await first;
    expect(await stored('scan-a')).toMatchObject({ readyAt: START + 500 * MINUTE, claimedBy: null });
  });
});

describe('an item that an event makes due again while it is worked on', () => {
  it('is not begun a second time here, and not lost: it is done soon after', async () => {
    const gate = new Gate();
    const worker: Worker = new Worker('scan', async (item) => {
      if (worker.done.length === 1) await gate.opened;
      return worker.done.length === 1 ? { again: START + 500 * MINUTE } : settling(item);
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
  it('puts the item off, longer each time up to five minutes, and starts over after a success', async () => {
    let isBroken = true;
    const worker = new Worker('scan', (_, now) => {
      if (isBroken) throw new Error('not yet');
      return { again: now };
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

  it('of one item does not touch others', async () => {
    const worker = new Worker('scan', (item) => {
      if (item.subject === 'bad') throw new Error('always');
      return settling(item);
    });
    await makeDue('scan', 'bad');
    await makeDue('scan', 'good');
    await aProcess([worker]).runDue(START);
    expect(await stored('scan-good')).toBeUndefined();
  });

  it('to say when again counts as one, and leaves the claim to run out if nothing can be written', async () => {
    const worker = new Worker('scan', () => ({ again: START }));
    await makeDue('scan', 'a');
    const compareAndSet = store.compareAndSet.bind(store);
    let writes = 0;
    store.compareAndSet = (...given) =>
      ++writes === 1 ? compareAndSet(...given) : Promise.reject(new Error('on fire'));
    const runner = aProcess([worker]);
    await runner.runDue(START);
    store.compareAndSet = compareAndSet;
    expect(await runner.runDue(START + CLAIM - 1)).toBe(0);
    expect(await runner.runDue(START + CLAIM)).toBe(1);
  });

  it('of the store is met again and again until it is over', async () => {
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

  it('wakes up by itself for what becomes due, and for what other processes make due', async () => {
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
      let looks = 0;
      const nextReady = work.nextReady.bind(work);
      work.nextReady = (after) => {
        looks++;
        return nextReady(after);
      };
      const runner = new DueRunner(work, [worker], clock, logger);
      running.push(runner);
      runner.start(Promise.resolve());
      await eventually(() => looks === 1);
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

  it('goes on to what had no room as soon as there is some', async () => {
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

  it('frees what a process that died on this host had claimed', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await makeDue('scan', 'a');
    const dead = new DueWork(store, async () => 'due', `${holderName().split('/')[0]}/${pid}/1/`);
    await dead.claimDue(new Map([['scan', 1]]), START);
    const worker = new Worker('scan', settling);
    aProcess([worker]).start(Promise.resolve());
    await eventually(() => worker.done.length === 1);
  });

  it('goes on to what is behind an item that is due again while it is worked on', async () => {
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

  it('asks once for all kinds while none of them is due', async () => {
    await makeDue('scan', 'late', START + MINUTE);
    const queries: unknown[] = [];
    const find = store.find.bind(store);
    store.find = (collection, query) => {
      queries.push(query);
      return find(collection, query);
    };
    const runner = aProcess(['scan', 'walk', 'slot'].map((kind) => new Worker(kind, settling)));
    runner.start(Promise.resolve());
    await eventually(() => runner.activity.looks === 1);
    await settled();
    const [ofTheDead, ...looks] = queries;
    expect([ofTheDead, looks]).toEqual([
      { index: 'next', gt: START, lte: START + 2 * CLAIM, limit: 1_000 },
      [{ index: 'next', gt: -1, limit: 1 }],
    ]);
  });

  it('sleeps where there is nothing to do', async () => {
    let looks = 0;
    const find = store.find.bind(store);
    store.find = (...given) => {
      looks++;
      return find(...given);
    };
    aProcess([new Worker('scan', settling)]).start(Promise.resolve());
    await eventually(() => looks > 0);
    const since = performance.now();
    await eventually(() => performance.now() > since + 30);
    expect(looks).toBeLessThan(10);
  });
});

describe('stopping', () => {
  it('waits for what is under way, and begins nothing more', async () => {
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

  it('does not wait for the end of a rest, and is harmless twice and before the start', async () => {
    const runner = aProcess([new Worker('scan', settling)]);
    runner.start(Promise.resolve());
    await settled();
    const since = performance.now();
    await Promise.all([runner.stop(), runner.stop()]);
    await aProcess([]).stop();
    expect(performance.now() - since).toBeLessThan(450);
  });
});
