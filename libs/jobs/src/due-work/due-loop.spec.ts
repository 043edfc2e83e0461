import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgencyPermits, MINUTE } from '#kernel';
import { eventually, Gate, settled } from '#testing';
import { holderName } from '../leases/holder.js';
import { Signal } from '../signal.js';
import { DueItems, START, Worker } from './due-runner.fixtures.js';
import { CLAIMED, DueWork } from './due-work.js';

let due: DueItems;

beforeEach(async () => {
  due = await DueItems.open();
});

afterEach(async () => {
  Signal.prototype.waitForPoll = waitForPoll;
  for (const runner of due.running) runner.notify();
  await due.stop();
});

const { waitForPoll } = Signal.prototype;
/** Runners poll when they are notified, and for what is due now; those that miss a notification wait for good. */
const pollWhenNotified = () => {
  Signal.prototype.waitForPoll = function (notified, next, now) {
    return next !== undefined && next <= now ? waitForPoll.call(this, notified, next, now) : notified;
  };
};

describe('a started runner', () => {
  it('claims nothing before the read model is ready', async () => {
    const ready = new Gate();
    const worker = new Worker('scan', due.settling);
    await due.makeDue('scan', 'a');
    const runner = due.process([worker]);
    runner.start(ready.opened);
    runner.notify();
    await settled();
    expect([worker.done, await due.stored('scan-a')]).toMatchObject([[], { claims: 0 }]);
    ready.open();
    await eventually(() => worker.done.length === 1);
  });

  it('polls when an item becomes due, and for items that other processes make due', async () => {
    const worker = new Worker('scan', due.settling);
    due.process([worker]).start(Promise.resolve());
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
      pollWhenNotified();
      const worker = new Worker('scan', due.settling);
      const work = due.work('host-a');
      let polls = 0;
      const nextReady = work.nextReady.bind(work);
      work.nextReady = (after) => {
        polls++;
        return nextReady(after);
      };
      const runner = due.process([worker], 'host-a', undefined, work);
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
    pollWhenNotified();
    const gates = [new Gate(), new Gate(), new Gate()];
    const worker: Worker = new Worker(
      'scan',
      async (item) => {
        await gates[worker.done.length - 1]?.opened;
        return due.settling(item);
      },
      1,
    );
    for (let n = 0; n < 3; n++) await due.makeDue('scan', `s${n}`);
    due.process([worker]).start(Promise.resolve());
    for (const [n, gate] of gates.entries()) {
      await eventually(() => worker.done.length === n + 1);
      await settled();
      gate.open();
      await eventually(() => worker.done.length === Math.min(n + 2, 3));
    }
  });

  it('releases the claims of a process that died on this host', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await due.makeDue('scan', 'a');
    const dead = new DueWork(due.store, async () => 'due', `${holderName().split('/')[0]}/${pid}/1/`);
    await dead.claimDue(new Map([['scan', new AgencyPermits({ perAgency: 1 })]]), START);
    const worker = new Worker('scan', due.settling);
    due.process([worker]).start(Promise.resolve());
    await eventually(() => worker.done.length === 1);
  });

  it('starts the items behind one that is due again while it is in flight', async () => {
    pollWhenNotified();
    const gate = new Gate();
    const worker: Worker = new Worker(
      'scan',
      (item) => (item.subject === 'a' ? gate.opened : Promise.resolve()).then(() => due.settling(item)),
      2,
    );
    await due.makeDue('scan', 'a', START - 5);
    due.process([worker]).start(Promise.resolve());
    await eventually(() => worker.done.length === 1);
    await due.makeDue('scan', 'a', START - 2);
    await due.makeDue('scan', 'b', START - 1);
    due.running.at(-1)?.notify();
    await eventually(() => worker.done.length === 2);
    gate.open();
  });

  it('reads once for all kinds while none is due', async () => {
    await due.makeDue('scan', 'late', START + MINUTE);
    const queries: unknown[] = [];
    const find = due.store.find.bind(due.store);
    due.store.find = (collection, query) => {
      queries.push(query);
      return find(collection, query);
    };
    const runner = due.process(['scan', 'walk', 'slot'].map((kind) => new Worker(kind, due.settling)));
    runner.start(Promise.resolve());
    await eventually(() => runner.activity.polls === 1);
    await settled();
    runner.notify();
    await eventually(() => runner.activity.polls === 2);
    const poll = { index: 'next', gt: -1, lt: CLAIMED, limit: 1 };
    // The first ones look for lost claims and false times, which are looked for every few seconds.
    expect(queries.slice(4)).toEqual([poll, poll]);
  });

  it('sleeps if there is nothing to do', async () => {
    let polls = 0;
    const find = due.store.find.bind(due.store);
    due.store.find = (...given) => {
      polls++;
      return find(...given);
    };
    due.process([new Worker('scan', due.settling)]).start(Promise.resolve());
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
      return due.settling(item);
    });
    const runner = due.process([worker]);
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
    expect([hasStopped, runner.isStopping]).toEqual([false, true]);
    gate.open();
    await stopped;
    expect([worker.done, await due.stored('scan-a')]).toEqual([['a'], undefined]);
    expect(await due.stored('scan-b')).toMatchObject({ claims: 0 });
  });

  it('does not wait for the end of a sleep, may be repeated, and may come before the start', async () => {
    pollWhenNotified();
    const runner = due.process([new Worker('scan', due.settling)]);
    runner.start(Promise.resolve());
    await settled();
    let stopped = 0;
    for (const each of [runner, runner, due.process([])]) void each.stop().then(() => stopped++);
    await eventually(() => stopped === 3);
  });
});
