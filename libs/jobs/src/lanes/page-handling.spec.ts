import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CollectionWrite,
  CommandRunner,
  InvalidAppend,
  LanePositions,
  type LogPage,
  newEventId,
  newId,
  type RecordedEvent,
  StoreUnavailable,
} from '#kernel';
import { eventually, FakeClock, InMemoryDocumentStore, InMemoryEventLog, RecordingLogger } from '#testing';
import { contextOf } from '../../../kernel/src/deciding/tally.fixtures.js';
import { type DeadLetter, DeadLetters, deadLetterDecider, deadLetterId } from '../dead-letters/dead-letters.js';
import { Lane } from './lane.js';
import type { LogConsumer } from './log-consumer.js';

const NAME = 'witness';
const TYPE = 'thing.happened.v1';
const WORKSPACE = newId('workspace');

let log: InMemoryEventLog;
let store: InMemoryDocumentStore;
let commands: CommandRunner;
let logger: RecordingLogger;
let runner: Lane;
let counted: string[];

/** Fails at some of its events. */
class Witness implements LogConsumer {
  readonly name = NAME;
  formerName: string | undefined;
  readonly types = new Set([TYPE]);
  readonly bad = new Set<number>();
  readonly seen: number[] = [];
  readonly retried: number[] = [];
  error: () => Error = () => new TypeError('of Mia Vale');
  pages = 0;

  async handle({ events }: LogPage, part = ''): Promise<readonly CollectionWrite[]> {
    this.pages++;
    for (const event of events) if (this.bad.has(numberOf(event)) && part !== 'sound') throw this.error();
    this.seen.push(...events.map(numberOf));
    return [{ collection: 'seen', put: events.map((event) => ({ id: `${part}${numberOf(event)}` })) }];
  }

  async retry(event: RecordedEvent): Promise<readonly CollectionWrite[]> {
    const writes = await this.handle({ events: [event], reached: event.position, atEnd: false });
    this.retried.push(numberOf(event));
    return writes;
  }
}

/** A consumer with two parts, one of which never fails. */
class InParts extends Witness {
  override retry = undefined as never;
  parts = () => ['sound', 'fragile'];
}

const numberOf = ({ data }: RecordedEvent): number => ('n' in data ? Number(data.n) : -1);

const begin = async (): Promise<void> => {
  log = new InMemoryEventLog();
  store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'seen', indexes: [] }]);
  commands = new CommandRunner(log, new FakeClock());
  logger = new RecordingLogger();
  counted = [];
};
beforeEach(begin);
afterEach(() => runner.stop());

const append = async (...numbers: readonly number[]): Promise<void> => {
  const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: WORKSPACE };
  for (const n of numbers)
    await log.append('thing-1', 'any', [{ id: newEventId(), type: TYPE, data: { n }, metadata }]);
};

const deadLetters = () => new DeadLetters(commands, (name) => counted.push(name));

const start = (consumer: LogConsumer): void => {
  runner = new Lane(
    { name: NAME, consumers: [consumer] },
    1,
    log,
    store,
    new LanePositions(store),
    deadLetters(),
    logger,
  );
  runner.start();
};
const caughtUp = () => eventually(async () => ((await store.checkpoint(NAME))?.position ?? 0) >= (await log.head()));

/** Resolves when the checkpoint is past all events of the consumer's types. */
const handledAll = async (): Promise<void> => {
  await caughtUp();
  await caughtUp();
};

const deadLetterEvents = async () => {
  const { events } = await log.readLog({ after: 0, categories: new Set([deadLetterDecider.category]) });
  return events;
};
const deadLetterOf = async (n: number, part: string | null = null): Promise<DeadLetter> => {
  const event = (await log.readStream('thing-1')).find((candidate) => numberOf(candidate) === n);
  if (event === undefined) throw new Error(`there is no ${n}`);
  const { id, stream, revision } = event;
  return { runner: NAME, part, item: { kind: 'event', eventId: id, stream, revision } };
};

describe('an event that cannot be processed (D67)', () => {
  it('is tried three times, set aside in the log, counted, and skipped', async () => {
    const consumer = new Witness();
    consumer.bad.add(2);
    await append(1, 2, 3);
    start(consumer);
    await handledAll();
    expect([...new Set(consumer.seen)]).toEqual([1, 3]);
    const deadLetter = await deadLetterOf(2);
    expect(await deadLetterEvents()).toMatchObject([
      {
        stream: `setAside-${deadLetterId(deadLetter)}`,
        type: 'setAside.setAside.v1',
        data: { ...deadLetter, tries: 3 },
        metadata: { workspaceId: WORKSPACE, causationId: deadLetter.item.kind === 'event' && deadLetter.item.eventId },
      },
    ]);
    expect(counted).toEqual([NAME]);
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error', fields: { runner: NAME } });
  });

  it('is recorded with the place of the failure only, without its content', async () => {
    const consumer = new Witness();
    consumer.bad.add(1);
    await append(1);
    start(consumer);
    await handledAll();
    const [deadLetter] = await deadLetterEvents();
    expect(JSON.stringify(deadLetter)).not.toContain('Mia');
    expect(deadLetter?.data).toMatchObject({ error: expect.stringMatching(/^TypeError at .*page-handling\.spec/) });
  });

  it('is set aside once, also after a crash before the checkpoint', async () => {
    const consumer = new Witness();
    consumer.bad.add(1);
    await append(1);
    await deadLetters().record(await deadLetterOf(1), new Error('before'), {
      id: 'e',
      correlationId: 'c',
      workspaceId: WORKSPACE,
    });
    counted = [];
    start(consumer);
    await handledAll();
    expect([(await deadLetterEvents()).length, counted]).toEqual([1, []]);
  });

  it('is still handled by the other parts of the consumer', async () => {
    const consumer = new InParts();
    consumer.bad.add(2);
    await append(1, 2, 3);
    start(consumer);
    await handledAll();
    const ids = ['1', '2', '3', 'sound1', 'sound2', 'sound3', 'fragile2'];
    expect((await store.getMany('seen', ids)).map(({ id }) => id)).toEqual(['1', '3', 'sound2']);
    expect(await deadLetterEvents()).toMatchObject([{ data: { part: 'fragile' } }]);
  });

  it('is processed again by a retry, and set aside again if it fails again', async () => {
    const consumer = new Witness();
    consumer.bad.add(2).add(3);
    await append(1, 2, 3);
    start(consumer);
    await handledAll();
    consumer.bad.delete(2);
    for (const n of [2, 3]) await deadLetters().retry(await deadLetterOf(n), contextOf());
    await append(4);
    await eventually(() => consumer.seen.includes(4));
    await handledAll();
    expect(consumer.retried).toEqual([2]);
    expect((await deadLetterEvents()).map(({ type }) => type.split('.')[1])).toEqual([
      'setAside',
      'setAside',
      'retried',
      'retried',
      'setAside',
    ]);
  });

  it.each([
    ['not processed again by a retry of what another runner set aside', undefined, []],
    ['processed again by a retry of what was set aside under the former name of its runner', 'another', [1]],
  ])('is %s', async (_, formerName, retried) => {
    const consumer = new Witness();
    consumer.formerName = formerName;
    await append(1);
    const { item } = await deadLetterOf(1);
    const deadLetter: DeadLetter = { runner: 'another', part: null, item };
    await deadLetters().record(deadLetter, new TypeError('broken'), {
      id: 'e',
      correlationId: 'c',
      workspaceId: WORKSPACE,
    });
    await deadLetters().retry(deadLetter, contextOf());
    await append(2);
    start(consumer);
    await eventually(() => consumer.seen.includes(2));
    await handledAll();
    expect([consumer.seen, consumer.retried]).toEqual([[1, ...retried, 2], retried]);
  });

  it('is not set aside for a failure of a store, which is retried', async () => {
    const consumer = new Witness();
    consumer.bad.add(1);
    consumer.error = () => new StoreUnavailable('gone');
    await append(1, 2);
    start(consumer);
    await eventually(() => consumer.pages > 4);
    expect(await deadLetterEvents()).toEqual([]);
    consumer.bad.clear();
    await handledAll();
    expect(consumer.seen).toEqual([1, 2]);
  });

  it('may also be one whose documents the store refuses', async () => {
    const consumer = new Witness();
    const write = store.write.bind(store);
    store.write = async (writes, checkpoint) => {
      const ids = writes.flatMap(({ put = [] }) => put.map(({ id }) => id));
      if (ids.includes('2')) throw new InvalidAppend('too large');
      return write(writes, checkpoint);
    };
    await append(1, 2, 3);
    start(consumer);
    await handledAll();
    expect((await store.getMany('seen', ['1', '2', '3'])).map(({ id }) => id)).toEqual(['1', '3']);
    expect(await deadLetterEvents()).toMatchObject([{ data: { error: 'InvalidAppend: too large' } }]);
  });

  it('is found anywhere in a page, and all other events are handled', async () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), numbers, async (count, bad) => {
        await begin();
        const consumer = new Witness();
        for (const n of bad) consumer.bad.add(n);
        const all = Array.from({ length: count }, (_, n) => n);
        await append(...all);
        start(consumer);
        await handledAll();
        await runner.stop();
        const sound = all.filter((n) => !bad.includes(n));
        expect([...new Set(consumer.seen)]).toEqual(sound);
        const set = await Promise.all(
          bad
            .filter((n) => n < count)
            .toSorted((a, b) => a - b)
            .map((n) => deadLetterOf(n)),
        );
        expect((await deadLetterEvents()).map(({ stream }) => stream)).toEqual(
          set.map((one) => `setAside-${deadLetterId(one)}`),
        );
      }),
      { numRuns: 15 },
    );
  });
});
