import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Document,
  type DocumentStore,
  Fenced,
  type Position,
  type Projected,
  projection,
  type RecordedEvent,
} from '#kernel';
import { ProjectionEngine } from '#projections';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';
import { heldStore } from './testing/held-store.js';

const database = emptyDatabase();
const suite = database === undefined ? describe.skip : describe;

interface Count extends Document {
  readonly seen: number;
}
type Happened =
  | { readonly type: 'counted'; readonly data: { readonly id: string } }
  | { readonly type: 'ended'; readonly data: { readonly id: string } };

const counting = projection<Count, Happened>({
  name: 'counting',
  version: 1,
  indexes: [],
  on: {
    counted: { documents: ({ data }) => data.id, fold: (before, _, id) => ({ id, seen: (before?.seen ?? 0) + 1 }) },
    ended: { documents: ({ data }) => data.id, fold: () => undefined },
  },
});

const happened: fc.Arbitrary<Happened> = fc.record({
  type: fc.constantFrom('counted', 'counted', 'ended'),
  data: fc.record({ id: fc.constantFrom('a', 'b', 'c') }),
});

/** A process handles a page, as a new runner or as the one that it believes to be. */
const turn = fc.record({
  process: fc.nat(2),
  page: fc.integer({ min: 1, max: 4 }),
  takesOver: fc.boolean(),
  isAwaited: fc.boolean(),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** Handles one page after the other, until it is fenced out. */
interface Runner {
  readonly fence: number;
  position: Position;
  busy: Promise<void>;
}

suite(`runners that take over from each other${database === undefined ? ', as MONGODB_URL is not set' : ''}`, () => {
  const url = database?.url ?? '';
  let store: DocumentStore;
  let races = 0;
  beforeAll(() => {
    store = openMongoDbDocumentStore({ url });
  });
  afterAll(() => store.close());

  it('end with the documents of the log, even if their writes arrive late', async () => {
    const history = fc.array(happened, { minLength: 6, maxLength: 14 });
    const races = fc.asyncProperty(history, fc.array(turn, { maxLength: 10 }), fc.infiniteStream(fc.nat(12)), race);
    await fc.assert(races, { numRuns: 20, endOnFailure: true });
  }, 120_000);

  const race = async (history: readonly Happened[], turns: readonly Turn[], waits: Iterator<number>): Promise<void> => {
    const collection = `counting_${++races}`;
    const log = recorded(history);
    await store.ensure([{ name: collection, indexes: [] }]);
    const slow = heldStore(url, () => new Promise((resolve) => setTimeout(resolve, waits.next().value)));
    let fence = 0;
    const begin = async (): Promise<Runner> => {
      const position = (await store.checkpoint(collection))?.position ?? 0;
      await store.write([], { name: collection, position, fence: ++fence });
      return { fence, position, busy: Promise.resolve() };
    };
    const handle = async (by: DocumentStore, runner: Runner, page: number): Promise<void> => {
      const events = log.slice(runner.position, runner.position + page);
      runner.position += events.length;
      const writes = await new ProjectionEngine([{ projection: counting, collection }]).project(by, events);
      await by.write(writes, { name: collection, position: runner.position, fence: runner.fence });
    };

    const all: Runner[] = [];
    const latest = new Map<number, Runner>();
    for (const { process, page, takesOver, isAwaited } of turns) {
      const runner = (takesOver ? undefined : latest.get(process)) ?? (await begin());
      latest.set(process, runner);
      all.push(runner);
      runner.busy = runner.busy.then(() => handle(slow, runner, page));
      const handled = runner.busy.catch((error: unknown) => expect(error).toBeInstanceOf(Fenced));
      if (isAwaited) await handled;
    }
    const last = await begin();
    while (last.position < log.length) await handle(store, last, 3);
    for (const { busy } of all) await busy.catch((error: unknown) => expect(error).toBeInstanceOf(Fenced));
    await slow.close();
    const found = await store.getMany<Projected<Count>>(collection, ['a', 'b', 'c']);
    expect(new Map(found.map((count) => [count.id, count]))).toEqual(countsOf(log));
  };
});

const recorded = (history: readonly Happened[]): (Happened & RecordedEvent)[] =>
  history.map((event, index) => ({
    ...event,
    id: `e${index}`,
    stream: 'counting-all',
    revision: index,
    position: index + 1,
    metadata: { at: 0, actor: 'test', correlationId: 'test', causationId: null, workspaceId: null },
  }));

const countsOf = (log: readonly (Happened & RecordedEvent)[]): Map<string, Projected<Count>> => {
  const counts = new Map<string, Projected<Count>>();
  for (const { type, data, position } of log) {
    if (type === 'ended') counts.delete(data.id);
    else counts.set(data.id, { id: data.id, seen: (counts.get(data.id)?.seen ?? 0) + 1, position });
  }
  return counts;
};
