import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { askingOnce, CommandRunner, type EventLog, type LogTail, type SeenEvent, systemClock } from '#kernel';
import { added, contextOf, tallyDecider } from '../../../kernel/src/deciding/tally.fixtures.js';
import { events } from '../contract/given-events.js';
import { logOnDouble } from './testing/log-on-double.js';

let opened: Awaited<ReturnType<typeof logOnDouble>>;
beforeEach(async () => {
  opened = await logOnDouble();
  // The end of an empty log is nothing that a tail could pass.
  await opened.log.append('thing-0', 'none', events(1));
});
afterEach(() => opened.close());

const tailOf = ({ tail }: EventLog): LogTail => {
  if (tail === undefined) throw new Error('the log has no tail');
  return tail;
};

const passed = async (tail: LogTail) => {
  while (!(await tail.passesEnd())) await nextTurn();
};

/** A tail that has found out where the log ends, and what it shows. */
const started = async (log: EventLog) => {
  const tail = tailOf(log);
  const shown: (SeenEvent | undefined)[] = [];
  tail.watch((event) => void shown.push(event));
  await passed(tail);
  return { tail, shown };
};

test('a tail passes the end when it has shown all that another process has appended by then', async () => {
  const { log, reopen } = opened;
  const { tail, shown } = await started(log);
  const other = await reopen();
  for (let n = 0; n < 50; n++) {
    const { revision } = await other.append('thing-1', 'any', events(1));
    if (await tail.passesEnd())
      expect(shown.at(-1)).toMatchObject({ stream: 'thing-1', revision, type: 'thing.happened.v1' });
  }
});

test('a tail does not pass the end while it is behind, and the question ends soon', async () => {
  const { log, double } = opened;
  const { tail } = await started(log);
  const held = Promise.withResolvers<void>();
  double.faults.heldBack = held.promise;
  await log.append('thing-1', 'none', events(1));
  expect(await tail.passesEnd()).toBe(false);
  held.resolve();
  await passed(tail);
});

test('requests share a question that is not sent yet', async () => {
  const { log, double } = opened;
  const { tail } = await started(log);
  const before = double.answered.heads;
  const askings = Array.from({ length: 50 }, () => tail.passesEnd());
  expect(await Promise.all(askings)).toEqual(askings.map(() => true));
  expect(double.answered.heads - before).toBe(1);
});

test('a tail that has lost its connection says so before it passes the end again', async () => {
  const { log, double } = opened;
  const { tail, shown } = await started(log);
  expect(shown).toEqual([undefined]);
  double.loseConnections();
  while (shown.length < 2) {
    await tail.passesEnd();
    await nextTurn();
  }
  expect(shown).toEqual([undefined, undefined]);
  await passed(tail);
});

test('a log that is closed passes nothing', async () => {
  const { reopen } = opened;
  const log = await reopen();
  const { tail } = await started(log);
  await log.close();
  expect(await tail.passesEnd()).toBe(false);
});

/** Each has its own log, and with it its own connection and memory. */
const processes = async () => {
  const logs = [await opened.reopen({ retryFor: 20_000 }), await opened.reopen({ retryFor: 20_000 })] as const;
  for (const log of logs) await started(log);
  return logs.map((log) => new CommandRunner(log, systemClock));
};

test('a state never lacks what another process was answered to have appended before, though connections are lost and tails are behind', async () => {
  const runners = await processes();
  const ids = ['a', 'b', 'c', 'd'];
  const addAndLoad = async (id: string) => {
    for (let n = 1; n <= 60; n++) {
      const [writer, reader] = n % 2 === 0 ? runners : runners.toReversed();
      const held = Promise.withResolvers<void>();
      if (n % 5 === 0) opened.double.faults.heldBack = held.promise;
      await writer?.run(tallyDecider, id, contextOf(), () => [added(1)]);
      if (id === 'a' && n % 20 === 10) opened.double.loseConnections();
      const loaded = await askingOnce()(async () => reader?.loadAll(tallyDecider, [id, ...ids]));
      held.resolve();
      expect(loaded?.[0]?.state.total).toBe(n);
    }
  };
  await Promise.all(ids.map(addAndLoad));
});

test('states to which nothing was appended cost one question for each request, and no read', async () => {
  const [writer, reader] = await processes();
  const ids = ['a', 'b', 'c'];
  for (const id of ids) await writer?.run(tallyDecider, id, contextOf(), () => [added(1)]);
  await reader?.loadAll(tallyDecider, ids);
  const before = { ...opened.double.answered };
  const inRequest = askingOnce();
  for (const id of ids) await inRequest(async () => reader?.load(tallyDecider, id));
  expect(opened.double.answered).toEqual({ ...before, heads: before.heads + 1 });
  await writer?.run(tallyDecider, 'b', contextOf(), () => [added(1)]);
  await reader?.loadAll(tallyDecider, ids);
  expect(opened.double.answered.streamReads).toBe(before.streamReads + 1);
});
