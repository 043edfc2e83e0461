import { beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId, type StoredTask, taskOf, type WorkspaceId } from '#kernel';
import { FakeClock, Gate, type InMemoryDocumentStore, settled } from '#testing';
import { dueStore, queueOf } from './task-queue.fixtures.js';

const NOW = 1_000;

let store: InMemoryDocumentStore;

beforeEach(async () => {
  store = await dueStore();
});

const agencies = Array.from({ length: 40 }, (_, n) => derivedId('workspace', `agency ${n}`)).toSorted();
const agency = (n: number): WorkspaceId => {
  const found = agencies[n];
  if (found === undefined) throw new Error(`there is no agency ${n}`);
  return found;
};

const makeDue = (workspaceId: WorkspaceId, count: number, dueAt = 10) =>
  store.write([
    {
      collection: 'due',
      put: Array.from({ length: count }, (_, n) => {
        const subject = `${agencies.indexOf(workspaceId)}/${n}`;
        return { ...taskOf('scan', subject, workspaceId, dueAt + n, { id: 'e', correlationId: 'r' }), position: 1 };
      }),
    },
  ]);

/** A queue of one kind with `concurrency` places, a quarter of them for one agency. Tasks end when the gate opens. */
const aQueue = (concurrency: number) => {
  const started: string[] = [];
  const clock = new FakeClock(NOW);
  let gate = new Gate();
  const command = (item: StoredTask) => async () => {
    started.push(item.subject);
    await gate.opened;
    return { retryAt: NOW * 1_000 };
  };
  const jobs = { scan: { concurrency, longestWait: Number.POSITIVE_INFINITY, command } };
  const queue = queueOf(store, jobs, clock);
  const poll = async (then = 50) => {
    const before = started.length;
    const running = queue.runDue(NOW);
    await settled();
    // Between two walks over the agencies a little time passes.
    clock.advance(then);
    return { running, begun: started.slice(before) };
  };
  const end = () => {
    gate.open();
    gate = new Gate();
  };
  return { poll, end };
};

it.each([60, 300])('agencies take turns, one with %i tasks too (D89)', async (count) => {
  await makeDue(agency(0), count);
  await makeDue(agency(2), 2, 500);
  await makeDue(agency(1), 1, 600);
  await makeDue(agency(3), 1, NOW + 1);
  const { poll, end } = aQueue(8);
  const { begun, running } = await poll();
  expect(begun).toEqual(['0/0', '0/1', '1/0', '2/0', '2/1']);
  end();
  await running;
});

it('an agency whose task has ended gets its next one immediately, between two walks too', async () => {
  await makeDue(agency(0), 300);
  await makeDue(agency(1), 300);
  const { poll, end } = aQueue(4);
  const first = await poll();
  end();
  await first.running;
  const second = await poll();
  expect([first.begun, second.begun]).toEqual([
    ['0/0', '1/0'],
    ['0/1', '1/1'],
  ]);
  end();
  await second.running;
});

it('each of any number of agencies with any number of tasks has its turn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 130 }), { minLength: 1, maxLength: 5 }), async (counts) => {
      store = await dueStore();
      for (const [n, count] of counts.entries()) await makeDue(agency(n), count);
      const waiting = counts.flatMap((count, n) => (count > 0 ? [`${n}/0`] : []));
      const { poll, end } = aQueue(1);
      const begun: string[] = [];
      while (begun.length < waiting.length) {
        const polled = await poll();
        begun.push(...polled.begun);
        end();
        await polled.running;
      }
      expect(begun.toSorted()).toEqual(waiting.toSorted());
    }),
    { numRuns: 25 },
  );
});

it('lane keys whose tasks are all in flight do not hide those behind them (D63)', async () => {
  for (const workspaceId of agencies.slice(1, 35)) await makeDue(workspaceId, 1);
  const { poll, end } = aQueue(200);
  const polls = [await poll()];
  await makeDue(agency(0), 300, 100);
  polls.push(await poll());
  await makeDue(agency(36), 1, 600);
  while (polls.length < 5) polls.push(await poll());
  expect(polls.flatMap(({ begun }) => begun)).toContain('36/0');
  end();
  await Promise.all(polls.map(({ running }) => running));
});

it('a lane key goes on while walks pass many that sleep, and sends no walk back (D89)', async () => {
  const sleeping = Array.from({ length: 600 }, (_, n) => `${agency(1)}.${String(n).padStart(3, '0')}` as WorkspaceId);
  const put = sleeping.map((workspaceId) => ({
    ...taskOf('scan', workspaceId, workspaceId, NOW * 10, { id: 'e', correlationId: 'r' }),
    position: 1,
  }));
  await store.write([{ collection: 'due', put }]);
  await makeDue(agency(0), 300);
  await makeDue(agency(2), 1, 600);
  const { poll, end } = aQueue(4);
  const begun: string[] = [];
  for (let n = 0; n < 12; n++) {
    // Every second poll comes too soon for a walk.
    const polled = await poll(n % 2 === 0 ? 1 : 50);
    begun.push(...polled.begun);
    end();
    await polled.running;
  }
  expect(begun.filter((subject) => subject !== '2/0')).toEqual(Array.from({ length: 12 }, (_, n) => `0/${n}`));
  expect(begun).toContain('2/0');
});
