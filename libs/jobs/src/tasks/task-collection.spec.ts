import { beforeEach, describe, expect, it } from '@jest/globals';
import { NEVER, type StoredTask, taskOf } from '#kernel';
import type { InMemoryDocumentStore } from '#testing';
import { workspaceId } from '../../../kernel/src/deciding/tally.fixtures.js';
import { CommandTasks } from './command-tasks.js';
import { dueStore } from './task-queue.fixtures.js';

let store: InMemoryDocumentStore;
let tasks: CommandTasks;

beforeEach(async () => {
  store = await dueStore();
  tasks = new CommandTasks(store, async () => 'due');
});

const cause = { id: 'e1', correlationId: 'req_1' };

/** Writes what the projection writes when an event has made the task due. */
const makeDue = async (kind: string, subject: string, dueAt: number, position = 3): Promise<StoredTask> => {
  const item = { ...taskOf(kind, subject, workspaceId, dueAt, cause), position };
  await store.write([{ collection: 'due', put: [item] }]);
  return item;
};

const stored = (id: string) => store.get<StoredTask>('due', id);
const subjects = (items: readonly StoredTask[]) => items.map(({ subject }) => subject);

it('finds what is ready, the longest first', async () => {
  await makeDue('scan', 'late', 101);
  await makeDue('scan', 'second', 50);
  await makeDue('walk', 'first', 20);
  await makeDue('scan', 'third', 100);
  expect(subjects(await tasks.ready(100, 10))).toEqual(['first', 'second', 'third']);
  expect(subjects(await tasks.readyOfKind('scan', 100, 1))).toEqual(['second']);
  expect([await tasks.nextReady(-1), await tasks.nextReady(100), await tasks.nextReady(101)]).toEqual([20, 101, NEVER]);
});

describe('moving a task', () => {
  it('changes its times', async () => {
    const item = await makeDue('scan', 'a', 10);
    expect(await tasks.move(item, { readyAt: 500, failures: 3 })).toBe(true);
    expect(await stored('scan-a')).toEqual({ ...item, readyAt: 500, failures: 3 });
  });

  it('does nothing after an event has moved or removed it', async () => {
    const before = await makeDue('scan', 'a', 10);
    const moved = await makeDue('scan', 'a', 40, 6);
    expect(await tasks.move(before, { readyAt: 999 })).toBe(false);
    expect(await stored('scan-a')).toEqual(moved);
    await store.write([{ collection: 'due', remove: ['scan-a'] }]);
    expect(await tasks.move(moved, { readyAt: 999 })).toBe(false);
    expect(await stored('scan-a')).toBeUndefined();
  });

  it('does nothing if an event moves it between the read and the write', async () => {
    const item = await makeDue('scan', 'a', 10);
    const get = store.get.bind(store);
    store.get = async (...given) => {
      const found = await get<never>(...given);
      await makeDue('scan', 'a', 10, 6);
      return found;
    };
    expect(await tasks.move(item, { readyAt: 999 })).toBe(false);
    store.get = get;
    expect(await stored('scan-a')).toMatchObject({ readyAt: 10, position: 6 });
  });

  it('finds it in the collection that a rebuild has just made live', async () => {
    let reads = 0;
    const late = new CommandTasks(store, async () => (reads++ % 2 === 0 ? 'replaced' : 'due'));
    const item = await makeDue('scan', 'a', 10);
    expect(await late.move(item, { readyAt: 500 })).toBe(true);
    expect(await late.nextReady(100)).toBe(500);
    await late.runNow('scan-a', 200);
    expect(await stored('scan-a')).toMatchObject({ readyAt: 200 });
  });
});

describe('running a task now', () => {
  it('makes a waiting one ready, and changes no other', async () => {
    await makeDue('scan', 'waits', 5_000);
    await makeDue('scan', 'ready', 10);
    const failed = await makeDue('scan', 'failed', 10);
    await tasks.move(failed, { readyAt: 5_000, failures: 1 });
    for (const subject of ['waits', 'ready', 'failed', 'unknown']) await tasks.runNow(`scan-${subject}`, 200);
    const times = await Promise.all(
      ['waits', 'ready', 'failed', 'unknown'].map((subject) => stored(`scan-${subject}`)),
    );
    expect(times.map((item) => item?.readyAt)).toEqual([200, 10, 5_000, undefined]);
  });
});
