import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type EventToAppend, newEventId } from '#kernel';
import { InMemoryDocumentStore, InMemoryEventLog, RecordingLogger } from '#testing';
import { CheckpointEvents, Checkpoints, endOf } from './checkpoints.js';

const METADATA = { at: 0, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null };
const event = (): EventToAppend => ({ id: newEventId(), type: 'thing.happened.v1', data: {}, metadata: METADATA });

const logOf = async (events: readonly EventToAppend[]) => {
  const log = new InMemoryEventLog();
  for (const [n, one] of events.entries()) await log.append(`thing-${n % 3}`, 'any', [one]);
  return log;
};

const consumerOf = (name: string, formerName = name) => ({
  name,
  formerName,
  types: new Set<string>(),
  handle: async () => [],
});
const RUNNER = { name: 'runner', consumers: [consumerOf('runner')] };
const given = async (written: InMemoryEventLog, now = written) => {
  const store = new InMemoryDocumentStore();
  const logger = new RecordingLogger();
  const refused: string[] = [];
  const checkpoints = new Checkpoints(store, now, logger, (runner) => refused.push(runner));
  const stand = async (position?: number) => {
    const end = await endOf(written);
    await store.write([], { name: RUNNER.name, fence: 1, ...(position === undefined ? end : { position }) });
  };
  return { store, checkpoints, logger, refused, stand };
};

describe('a checkpoint', () => {
  it('is believed as long as the log has its event, however much follows', async () => {
    const log = await logOf([event(), event()]);
    const { checkpoints, stand, logger, refused } = await given(log);
    await stand();
    const before = await endOf(log);
    await log.append('thing-1', 'any', [event()]);
    expect(await checkpoints.take(RUNNER, 2)).toEqual({
      checkpoint: { name: 'runner', fence: 2, ...before },
      hasBegunAgain: false,
    });
    expect([logger.lines, refused]).toEqual([[], []]);
  });

  it('of an earlier version of the program names no event, is believed once, and names one then', async () => {
    const log = await logOf([event(), event()]);
    const { checkpoints, stand } = await given(log);
    await stand(await log.head());
    const { checkpoint, hasBegunAgain } = await checkpoints.take(RUNNER, 2);
    expect({ hasBegunAgain, event: checkpoint.event }).toEqual({
      hasBegunAgain: false,
      event: (await endOf(log)).event,
    });
  });

  it('of a renamed runner is that of its former name, until it has its own', async () => {
    const log = await logOf([event(), event()]);
    const { checkpoints, stand, store } = await given(log);
    await stand();
    const renamed = { name: 'renamed', consumers: [consumerOf('consumer', RUNNER.name)] };
    const { checkpoint } = await checkpoints.take(renamed, 2);
    expect(checkpoint).toEqual({ name: 'renamed', fence: 2, ...(await endOf(log)) });
    await store.write([], { name: RUNNER.name, fence: 1, position: 1 });
    expect((await checkpoints.take(renamed, 3)).checkpoint).toEqual({ ...checkpoint, fence: 3 });
  });

  it.each([
    ['a named one beyond the end', undefined],
    ['an unnamed one beyond the end', 6],
  ])('is refused loudly: %s', async (_, position) => {
    const events = [event(), event()];
    const { checkpoints, stand, logger, refused, store } = await given(
      await logOf(events),
      await logOf(events.slice(0, 1)),
    );
    await stand(position);
    expect(await checkpoints.take(RUNNER, 2)).toMatchObject({ checkpoint: { position: 0 }, hasBegunAgain: true });
    expect(await store.checkpoint('runner')).toEqual({ name: 'runner', position: 0, fence: 2 });
    expect(refused).toEqual(['runner']);
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { runner: 'runner' } }]);
    expect((await checkpoints.take(RUNNER, 3)).hasBegunAgain).toBe(false);
  });

  it('of another log leads the consumer to where it says, after it has dropped its documents', async () => {
    const now = await logOf([event(), event(), event()]);
    const { checkpoints, stand, store } = await given(await logOf([event()]), now);
    await stand();
    const end = await endOf(now);
    const dropped: unknown[] = [];
    const beginAgain = async (_log: unknown, fence: number) => {
      dropped.push(fence);
      return end;
    };
    await checkpoints.take({ ...RUNNER, consumers: [{ ...consumerOf('runner'), beginAgain }] }, 2);
    expect(await store.checkpoint('runner')).toEqual({ name: 'runner', fence: 2, ...end });
    expect(dropped).toEqual([2]);
  });

  it('is refused exactly if its log and this one differ before it', async () => {
    const few = fc.integer({ min: 0, max: 6 });
    await fc.assert(
      fc.asyncProperty(few, few, few, async (shared, more, other) => {
        const common = Array.from({ length: shared }, event);
        const written = await logOf([...common, ...Array.from({ length: more }, event)]);
        const now = await logOf([...common, ...Array.from({ length: other }, event)]);
        const { checkpoints, stand } = await given(written, now);
        await stand();
        expect((await checkpoints.take(RUNNER, 2)).hasBegunAgain).toBe(more > 0);
      }),
      { numRuns: 50 },
    );
  });
});

it('names the last event up to a position within a page, before it and at its end', async () => {
  const log = await logOf([event(), event(), event(), event()]);
  const [first, second, third] = (await log.readLog({ after: 0 })).events;
  if (first === undefined || second === undefined || third === undefined) throw new Error('the log has four events');
  const end = await endOf(log);
  const names = new CheckpointEvents(first, undefined);
  names.next({ events: [second, third], reached: end.position, atEnd: true, last: end.event });
  const upTo = (position: number) => names.upTo(position)?.id;
  expect([second.position - 1, second.position, third.position + 1, end.position].map(upTo)).toEqual(
    [first, second, third, end.event].map((one) => one?.id),
  );
  names.next({ events: [], reached: end.position + 9, atEnd: true });
  expect(names.upTo(end.position + 9)).toEqual(end.event);
});
