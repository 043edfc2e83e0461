import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, MINUTE, NEVER, SECOND, type StoredTask, StoreUnavailable, type TaskOutcome } from '#kernel';
import { eventually, Gate, settled } from '#testing';
import { Leases } from '../leases/leases.js';
import type { Place, TaskKind } from './task-collection.js';
import { START, Tasks, Worker } from './task-queue.fixtures.js';
import { TaskQueue } from './task-queue.js';

let due: Tasks;

beforeEach(async () => {
  due = await Tasks.open();
});

afterEach(() => due.stop());

describe('a task', () => {
  it('is handled by its kind, and an item that is not yet due is not', async () => {
    const [scans, walks] = [new Worker('scan', due.settling), new Worker('walk', due.settling)];
    const runner = due.queue([scans, walks]);
    await due.makeDue('scan', 'a');
    await due.makeDue('walk', 'b');
    await due.makeDue('scan', 'c', START + 1);
    await due.makeDue('unknown', 'd');
    expect(await runner.runDue(START)).toBe(2);
    expect([scans.done, walks.done]).toEqual([['a'], ['b']]);
    expect(await runner.runDue(START + 1)).toBe(1);
    expect(await runner.runDue(START + MINUTE)).toBe(0);
  });

  it('waits if as many of its kind as allowed are in flight, and does not wait for other kinds', async () => {
    const gate = new Gate();
    const held = async (item: StoredTask): Promise<TaskOutcome> => {
      await gate.opened;
      return due.settling(item);
    };
    const [few, many] = [new Worker('scan', held, 2), new Worker('scanlike', held, 3)];
    for (const { kind, concurrency } of [few, many]) {
      for (let n = 0; n < 5; n++) await due.makeDue(kind, `s${n}`, START, `agency ${n % concurrency}`);
    }
    const runner = due.queue([few, many]);
    runner.start(Promise.resolve());
    await eventually(() => few.done.length === 2 && many.done.length === 3);
    const { polls } = runner.activity;
    runner.notify();
    await eventually(() => runner.activity.polls > polls);
    expect([few.done.length, many.done.length]).toEqual([2, 3]);
    gate.open();
    await eventually(async () => (await due.store.count('due')) === 0);
    expect([few.most, many.most]).toEqual([2, 3]);
    expect([...few.done].sort()).toEqual(['s0', 's1', 's2', 's3', 's4']);
  });

  it('of an agency that has none in flight finds a place, however many others have (D89)', async () => {
    const gate = new Gate();
    const walk = new Worker('walk', () => gate.opened.then(() => 'done' as const), 3);
    for (let n = 0; n < 12; n++) await due.makeDue('walk', `w${n}`, START, `agency ${n % 8}`);
    const runner = due.queue([walk]);
    const first = runner.runDue(START);
    await settled();
    expect(walk.done).toHaveLength(8);
    await due.makeDue('walk', 'late', START, 'agency 8');
    const second = runner.runDue(START);
    await settled();
    expect(walk.done.slice(8)).toEqual(['late']);
    gate.open();
    await Promise.all([first, second]);
  });

  it('does not wait in flight for a lease: it is tried again a second later, and that is no failure (D89)', async () => {
    const leases = new Leases(due.store, due.clock, 'host-a/1/1/');
    const held = new Gate();
    const request = leases.exclusively('creator:mia', MINUTE, () => held.opened);
    const worker = new Worker('slot', (item) => leases.exclusively('creator:mia', MINUTE, () => due.settling(item)));
    await due.makeDue('slot', 'mia');
    const runner = due.queue([worker]);
    await runner.runDue(START);
    expect(await due.stored('slot-mia')).toMatchObject({ readyAt: START + SECOND, failures: 0 });
    held.open();
    await request;
    const elsewhere = await new Leases(due.store, due.clock, 'host-b/1/1/').acquire('creator:mia', MINUTE);
    due.clock.advance(SECOND);
    await runner.runDue(START + SECOND);
    expect(await due.stored('slot-mia')).toMatchObject({ readyAt: START + 2 * SECOND, failures: 0 });
    await due.store.releaseLease('creator:mia', elsewhere?.holder ?? '');
    await runner.runDue(START + 2 * SECOND);
    expect([await due.stored('slot-mia'), due.logger.lines]).toEqual([undefined, []]);
  });
});

describe('an item that an event makes due again while it is in flight', () => {
  it('is not started a second time in this process, and is handled soon after', async () => {
    const gate = new Gate();
    const worker: Worker = new Worker('scan', async (item) => {
      if (worker.done.length === 1) await gate.opened;
      return worker.done.length === 1 ? { retryAt: START + 500 * MINUTE } : due.settling(item);
    });
    const runner = due.queue([worker]);
    await due.makeDue('scan', 'a');
    const first = runner.runDue(START);
    await eventually(() => worker.done.length === 1);
    await due.makeDue('scan', 'a', START + SECOND);
    expect(await runner.runDue(START + SECOND)).toBe(0);
    expect([worker.done, worker.most]).toEqual([['a'], 1]);
    gate.open();
    await first;
    expect(await runner.runDue(START + 2 * SECOND)).toBe(1);
    expect([worker.done, await due.store.count('due')]).toEqual([['a', 'a'], 0]);
  });
});

describe('an item that was set aside (D87)', () => {
  const recordDeadLetter = async (subject: string) => {
    await due.makeDue('scan', subject);
    const item = await due.stored(`scan-${subject}`);
    const deadLetter: object = { ...item, isSetAside: true };
    await due.store.write([{ collection: 'due', put: [{ ...deadLetter, id: `scan-${subject}` }] }]);
  };

  it('is handled as such, and is not set aside again however often that fails', async () => {
    const worker = new Worker('scan', () => Promise.reject(new TypeError('x')));
    const runner = due.queue([Object.assign(worker, { endsDeadLetters: true as const })]);
    await recordDeadLetter('a');
    for (let n = 0; n < 5; n++) {
      await runner.runDue(due.clock.now());
      due.clock.set((await due.stored('scan-a'))?.readyAt ?? 0);
    }
    expect([worker.done.length, due.recorded]).toEqual([5, []]);
  });

  it('rests if its kind has nothing to do then', async () => {
    const worker = new Worker('scan', due.settling);
    await recordDeadLetter('a');
    await due.queue([worker]).runDue(START);
    expect([worker.done, await due.stored('scan-a')]).toMatchObject([[], { readyAt: NEVER }]);
  });
});

describe('a failure', () => {
  it('postpones the item, longer each time up to five minutes, and starts again after a success', async () => {
    let isBroken = true;
    const worker = new Worker('scan', () => {
      if (isBroken) throw new DomainError('provider_unavailable');
      return { retryAt: due.clock.now() };
    });
    const runner = due.queue([worker]);
    await due.makeDue('scan', 'a');
    const waits: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      await runner.runDue(due.clock.now());
      const readyAt = (await due.stored('scan-a'))?.readyAt ?? 0;
      waits.push((readyAt - due.clock.now()) / SECOND);
      due.clock.set(readyAt);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    expect(await due.stored('scan-a')).toMatchObject({ failures: 11 });
    isBroken = false;
    await runner.runDue(due.clock.now());
    expect(await due.stored('scan-a')).toMatchObject({ failures: 0 });
    expect(due.logger.lines).toHaveLength(11);
    expect(due.logger.lines[0]).toMatchObject({ level: 'warn', fields: { item: 'scan-a', failures: 1 } });
  });

  it('of the work itself sets the item aside at the third try; one of a due.store or a provider does not count (D67)', async () => {
    const errors = [new StoreUnavailable('gone'), new TypeError('x'), new DomainError('provider_timeout')];
    errors.push(new TypeError('x'), new StoreUnavailable('gone'), new TypeError('x'));
    const worker = new Worker('scan', async () => {
      throw errors.shift();
    });
    const runner = due.queue([worker]);
    await due.makeDue('scan', 'a');
    while (errors.length > 0) {
      expect(due.recorded).toEqual([]);
      await runner.runDue(due.clock.now());
      due.clock.set((await due.stored('scan-a'))?.readyAt ?? 0);
    }
    const { cause } = (await due.stored('scan-a')) ?? {};
    const item = { kind: 'dueItem', itemId: 'scan-a', dueKind: 'scan', subject: 'a', cause };
    expect(due.recorded).toEqual([{ runner: 'due-work', part: null, item }]);
  });

  it('of the store is retried as long as it lasts', async () => {
    const worker = new Worker('scan', due.settling);
    const find = due.store.find.bind(due.store);
    due.store.find = () => Promise.reject(new Error('on fire'));
    const runner = due.queue([worker]);
    runner.start(Promise.resolve());
    await eventually(() => due.logger.lines.length > 0);
    expect(due.logger.lines[0]).toMatchObject({ level: 'error' });
    due.store.find = find;
    await due.makeDue('scan', 'a');
    runner.notify();
    await eventually(() => worker.done.length === 1);
  });
});

describe('a task that has ended', () => {
  it('stays in flight until the read models have passed the event that ended it', async () => {
    const worker = new Worker('scan', () => 'done');
    const queue = due.queue([worker]);
    await due.makeDue('scan', 'a');
    due.reached = 0;
    await queue.runDue(START);
    await queue.runDue(START);
    expect(worker.done).toEqual(['a']);
    await due.makeDue('scan', 'a');
    due.reached = undefined;
    await queue.runDue(START);
    expect(worker.done).toEqual(['a', 'a']);
  });

  it('is one of at most some thousand that the read models do not show yet: then no other starts', async () => {
    const worker = new Worker('scan', () => 'done', 20_000);
    const queue = due.queue([worker]);
    for (let n = 0; n < 5_400; n++) await due.makeDue('scan', `s${n}`, START, `agency ${n % 6}`);
    due.reached = 0;
    expect(await queue.runDue(START)).toBe(5_400);
    await due.makeDue('scan', 'other');
    expect(await queue.runDue(START)).toBe(0);
    due.reached = undefined;
    due.clock.advance(SECOND);
    await queue.runDue(due.clock.now());
    expect(worker.done).toContain('other');
  });

  it('whose outcome cannot be stored starts again a second later', async () => {
    const worker = new Worker('scan', () => ({ retryAt: START + MINUTE }));
    await due.makeDue('scan', 'a');
    const { compareAndSet } = due.store;
    due.store.compareAndSet = () => Promise.reject(new Error('on fire'));
    const queue = due.queue([worker]);
    await queue.runDue(START);
    due.store.compareAndSet = compareAndSet.bind(due.store);
    due.clock.advance(SECOND - 1);
    expect(await queue.runDue(due.clock.now())).toBe(0);
    due.clock.advance(1);
    expect(await queue.runDue(due.clock.now())).toBe(1);
    expect(await due.stored('scan-a')).toMatchObject({ readyAt: START + MINUTE });
  });
});

describe('a task that no event has moved although it has ended (D67)', () => {
  it('is postponed as after a failure, and set aside at the third time', async () => {
    const worker = new Worker('scan', () => 'done');
    await due.makeDue('scan', 'a');
    const queue = due.queue([worker]);
    const failures: unknown[] = [];
    for (let n = 0; n < 12 && due.recorded.length === 0; n++) {
      await queue.runDue(due.clock.now());
      const stored = await due.stored('scan-a');
      failures.push(stored?.failures);
      if (stored && stored.readyAt > due.clock.now()) due.clock.advance(stored.readyAt - due.clock.now());
    }
    expect(worker.done.length).toBe(3);
    expect(failures).toEqual([0, 1, 1, 2, 2, 3]);
    expect(due.recorded.length).toBe(1);
  });

  it('starts immediately if its event has made it ready again at the same time', async () => {
    const worker: Worker = new Worker('scan', async () => {
      if (worker.done.length < 3) await due.makeDue('scan', 'a');
      return worker.done.length < 3 ? 'done' : 'idle';
    });
    await due.makeDue('scan', 'a');
    const queue = due.queue([worker]);
    for (let n = 0; n < 4; n++) await queue.runDue(START);
    expect(worker.done.length).toBe(3);
  });
});

describe('tasks of a kind that starts them together', () => {
  /** Records what started together, and leaves the rest to the test. */
  const aKind = (
    start: (subjects: readonly string[], places: readonly Place[]) => readonly Promise<TaskOutcome | 'waits'>[],
  ) => {
    const kind: TaskKind<StoredTask> = {
      kind: 'ping',
      tasks: due.work(),
      concurrency: 4,
      concurrencyOf: () => 3,
      longestWait: MINUTE,
      startsTogether: true,
      start: (tasks, places) =>
        start(
          tasks.map(({ subject }) => subject),
          places,
        ),
      giveUp: () => Promise.reject(new Error('given up')),
      isGivenUp: () => false,
    };
    const views = { head: async () => 0, reached: async () => 0 };
    const queue = new TaskQueue([kind], views, due.clock, due.logger);
    due.running.push(queue);
    return queue;
  };

  it('start together up to the concurrency of their lane key', async () => {
    const together: (readonly string[])[] = [];
    const queue = aKind((subjects) => {
      together.push(subjects);
      return subjects.map(async () => ({ retryAt: START + MINUTE }));
    });
    for (const subject of ['a', 'b', 'c', 'd']) await due.makeDue('ping', subject, START, 'one');
    await queue.runDue(START);
    await queue.runDue(START);
    expect(together).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('that have failed together start alone, so that one of them holds up no other', async () => {
    const together: (readonly string[])[] = [];
    const queue = aKind((subjects) => {
      together.push(subjects);
      return subjects.map(async () => {
        throw new Error('one of them cannot be read');
      });
    });
    for (const subject of ['a', 'b']) await due.makeDue('ping', subject, START, 'one');
    await queue.runDue(START);
    due.clock.advance(SECOND);
    await queue.runDue(due.clock.now());
    expect(together).toEqual([['a', 'b'], ['a'], ['b']]);
    expect(await due.stored('ping-a')).toMatchObject({ failures: 2, tries: 1 });
  });

  it('give their place to others before they end', async () => {
    const gate = new Gate();
    const started: string[] = [];
    const queue = aKind((subjects, places) => {
      started.push(...subjects);
      for (const place of places) place.free();
      return subjects.map(() => gate.opened.then(() => ({ retryAt: START + MINUTE })));
    });
    for (const subject of ['a', 'b', 'c', 'd']) await due.makeDue('ping', subject, START, 'one');
    const first = queue.runDue(START);
    await settled();
    const second = queue.runDue(START);
    await settled();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    gate.open();
    await Promise.all([first, second]);
  });

  it('wait unchanged while their lane key pauses, and those of others do not', async () => {
    const started: string[] = [];
    const queue = aKind((subjects, [place]) => {
      started.push(...subjects);
      if (started.length === 1) place?.pauseLane(MINUTE);
      return subjects.map(async () => (subjects.includes('a') ? 'waits' : { retryAt: START + 5 * MINUTE }));
    });
    await due.makeDue('ping', 'a', START, 'one');
    await queue.runDue(START);
    await due.makeDue('ping', 'b', START, 'one');
    await due.makeDue('ping', 'c', START, 'two');
    due.clock.advance(MINUTE - 1);
    await queue.runDue(due.clock.now());
    expect(started).toEqual(['a', 'c']);
    expect(await due.stored('ping-a')).toMatchObject({ readyAt: START, failures: 0 });
    due.clock.advance(1);
    await queue.runDue(due.clock.now());
    expect(started).toEqual(['a', 'c', 'a', 'b']);
  });
});
