import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE, NEVER, SECOND } from '#kernel';
import { eventually, Gate, settled } from '#testing';
import { START, Tasks, Worker } from './task-queue.fixtures.js';

let due: Tasks;

beforeEach(async () => {
  due = await Tasks.open();
});

afterEach(async () => {
  await due.stop();
});

describe('a started runner', () => {
  it('starts nothing before the read model is ready', async () => {
    const ready = new Gate();
    const worker = new Worker('scan', due.settling);
    await due.makeDue('scan', 'a');
    const runner = due.queue([worker]);
    runner.start(ready.opened);
    runner.notify();
    await settled();
    expect(worker.done).toEqual([]);
    ready.open();
    await eventually(() => worker.done.length === 1);
  });

  it('polls when an item becomes due, and for items that no event of this process made due', async () => {
    const worker = new Worker('scan', due.settling);
    due.queue([worker]).start(Promise.resolve());
    await due.makeDue('scan', 'late', START + 20);
    await settled();
    due.clock.advance(20);
    await eventually(() => worker.done.length === 1);
    await due.makeDue('scan', 'elsewhere');
    await eventually(() => worker.done.length === 2);
  });

  it.each(Array.from({ length: 8 }, (_, turns) => turns))(
    'does not miss a notification %i microtasks after its last poll started',
    async (turns) => {
      due.pollInterval = MINUTE;
      const worker = new Worker('scan', due.settling);
      const work = due.work();
      let polls = 0;
      const nextReady = work.nextReady.bind(work);
      work.nextReady = (after) => {
        polls++;
        return nextReady(after);
      };
      const runner = due.queue([worker], work);
      runner.start(Promise.resolve());
      await eventually(() => polls === 1);
      runner.notify();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await due.makeDue('scan', 'a');
      runner.notify();
      await eventually(() => worker.done.length === 1);
    },
  );

  it('starts a waiting item as soon as another one ends', async () => {
    due.pollInterval = MINUTE;
    const gates = [new Gate(), new Gate(), new Gate()];
    const worker: Worker = new Worker(
      'scan',
      async (item) => {
        await gates[worker.done.length - 1]?.opened;
        return due.settling(item);
      },
      1,
    );
    for (let n = 0; n < 3; n++) await due.makeDue('scan', `s${n}`, START, 'agency');
    due.queue([worker]).start(Promise.resolve());
    for (const [n, gate] of gates.entries()) {
      await eventually(() => worker.done.length === n + 1);
      await settled();
      gate.open();
      await eventually(() => worker.done.length === Math.min(n + 2, 3));
    }
  });

  it('starts the items behind one that is due again while it is in flight', async () => {
    due.pollInterval = MINUTE;
    const gate = new Gate();
    const worker: Worker = new Worker(
      'scan',
      (item) => (item.subject === 'a' ? gate.opened : Promise.resolve()).then(() => due.settling(item)),
      2,
    );
    await due.makeDue('scan', 'a', START - 5);
    due.queue([worker]).start(Promise.resolve());
    await eventually(() => worker.done.length === 1);
    await due.makeDue('scan', 'a', START - 2);
    await due.makeDue('scan', 'b', START - 1);
    due.running.at(-1)?.notify();
    await eventually(() => worker.done.length === 2);
    gate.open();
  });

  it('sleeps too after more tasks than one read returns', async () => {
    const worker = new Worker('scan', due.settling);
    for (let n = 0; n < 300; n++) await due.makeDue('scan', `s${n}`, START, 'one');
    const runner = due.queue([worker]);
    runner.start(Promise.resolve());
    await eventually(() => worker.done.length === 300 && !runner.activity.isBusy);
    due.clock.advance(MINUTE);
    const { polls } = runner.activity;
    const since = performance.now();
    await eventually(() => performance.now() > since + 100);
    expect(runner.activity.polls - polls).toBeLessThan(4);
  });
});

describe('a standing task', () => {
  let runs: number;
  let end: Gate;
  const standing = { interval: 3 * SECOND, run: () => end.opened.then(() => void runs++) };
  beforeEach(() => {
    runs = 0;
    end = new Gate();
  });

  it('starts when the read models are ready, runs again after its interval, one run at a time', async () => {
    const ready = new Gate();
    let started = 0;
    const run = () => {
      started++;
      return standing.run();
    };
    const runner = due.queue([], undefined, { ...standing, run });
    runner.start(ready.opened);
    await settled();
    expect(started).toBe(0);
    ready.open();
    await eventually(() => started === 1);
    due.clock.advance(MINUTE);
    runner.notify();
    await settled();
    expect(started).toBe(1);
    end.open();
    await eventually(() => runs === 1);
    due.clock.advance(3 * SECOND);
    await eventually(() => runs === 2);
    expect(started).toBe(2);
  });

  it('is waited for by a stop, and runs again when the queue is started again', async () => {
    const runner = due.queue([], undefined, standing);
    runner.start(Promise.resolve());
    await eventually(() => runner.activity.isBusy);
    const stopped = runner.stop().then(() => runs);
    end.open();
    expect(await stopped).toBe(1);
    runner.start(Promise.resolve());
    await eventually(() => runs === 2);
  });
});

describe('a task that ends while a poll reads', () => {
  it('does not start again by what was read before its end', async () => {
    const gate = new Gate();
    const worker = new Worker('scan', () => gate.opened.then(() => ({ retryAt: START + MINUTE })));
    await due.makeDue('scan', 'a');
    const work = due.work();
    const queue = due.queue([worker], work);
    const first = queue.runDue(START);
    await settled();
    const ready = work.ready.bind(work);
    work.ready = async (...given) => {
      const read = await ready(...given);
      gate.open();
      await first;
      return read;
    };
    await queue.runDue(START);
    expect(worker.done).toEqual(['a']);
  });
});

describe('stopping', () => {
  it('before the read models are ready ends the first term for good, although a second one has begun', async () => {
    const ready = new Gate();
    const work = due.work();
    let polls = 0;
    work.nextReady = async () => {
      polls++;
      return NEVER;
    };
    due.pollInterval = MINUTE;
    const runner = due.queue([new Worker('scan', due.settling)], work);
    runner.start(ready.opened);
    void runner.stop();
    runner.start(Promise.resolve());
    ready.open();
    await eventually(() => polls > 0);
    await settled();
    expect(polls).toBe(1);
  });

  it('waits for the items in flight, and starts no other', async () => {
    const gate = new Gate();
    const worker = new Worker('scan', async (item) => {
      await gate.opened;
      return due.settling(item);
    });
    const runner = due.queue([worker]);
    await due.makeDue('scan', 'a');
    runner.start(Promise.resolve());
    await eventually(() => worker.done.length === 1);
    let hasStopped = false;
    const stopped = runner.stop().then(() => {
      hasStopped = true;
    });
    await due.makeDue('scan', 'b');
    runner.notify();
    await settled();
    expect(hasStopped).toBe(false);
    gate.open();
    await stopped;
    expect([worker.done, await due.stored('scan-a')]).toEqual([['a'], undefined]);
  });

  it('does not wait for the end of a sleep, may be repeated, and may come before the start', async () => {
    due.pollInterval = MINUTE;
    const runner = due.queue([new Worker('scan', due.settling)]);
    runner.start(Promise.resolve());
    await settled();
    let stopped = 0;
    for (const each of [runner, runner, due.queue([])]) void each.stop().then(() => stopped++);
    await eventually(() => stopped === 3);
  });
});
