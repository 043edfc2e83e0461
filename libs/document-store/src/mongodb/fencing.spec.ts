import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

interface Thing extends Document {
  readonly text: string;
  readonly position?: number;
}

suite(`what an older runner writes late${database === undefined ? ', as MONGODB_URL is not set' : ''}`, () => {
  const url = database?.url ?? '';
  let store: DocumentStore;
  let slow: DocumentStore;
  /** The slow runner resolves `arrived` and then waits for `gate`. */
  let gate = Promise.withResolvers<void>();
  let arrived = Promise.withResolvers<void>();
  let heldAt = '';
  let tests = 0;
  let things = '';

  beforeAll(() => {
    store = openMongoDbDocumentStore({ url });
    slow = heldStore(url, (collection) => {
      if (!collection.startsWith(heldAt)) return undefined;
      arrived.resolve();
      return gate.promise;
    });
  });
  afterAll(async () => {
    await Promise.all([store.close(), slow.close()]);
  });
  beforeEach(async () => {
    things = `things_${++tests}`;
    gate = Promise.withResolvers();
    arrived = Promise.withResolvers();
    heldAt = things;
    await store.ensure([{ name: things, indexes: [] }]);
  });

  const runner = (position: number, fence: number) => ({ name: `runner of ${things}`, position, fence });
  const put = (...documents: Thing[]) => [{ collection: things, put: documents }];
  const remove = (...ids: string[]) => [{ collection: things, remove: ids }];
  const contents = () => store.getMany<Thing>(things, ['a', 'b']);

  /** The older runner starts a write, the newer one does its work, and then the older one's write arrives. */
  const late = async (write: () => Promise<void>, newerWork: () => Promise<unknown>): Promise<void> => {
    const outcome = expect(write()).rejects.toThrow(Fenced);
    await arrived.promise;
    await store.write([], runner(0, 2));
    await newerWork();
    gate.resolve();
    await outcome;
  };

  it('does not change what a newer runner has put', async () => {
    const newer = { id: 'a', text: 'newer', position: 9 };
    await late(
      () => slow.write(put({ id: 'a', text: 'older', position: 5 }), runner(5, 1)),
      () => store.write(put(newer), runner(9, 2)),
    );
    expect(await contents()).toEqual([newer]);
    expect(await store.checkpoint(runner(0, 0).name)).toEqual(runner(9, 2));
  });

  it('leaves the newer documents of a batch and writes the others', async () => {
    const older = (id: string): Thing => ({ id, text: `older ${id}`, position: 5 });
    const newer = { id: 'b', text: 'newer', position: 9 };
    await late(
      () => slow.write(put(older('a'), older('b')), runner(5, 1)),
      () => store.write(put(newer), runner(9, 2)),
    );
    expect((await contents()).toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual([older('a'), newer]);
  });

  it('leaves what has been claimed since, although it is of the same position', async () => {
    const claimed = { id: 'a', text: 'claimed', position: 5 };
    await late(
      () => slow.write(put({ id: 'a', text: 'free', position: 5 }), runner(5, 1)),
      async () => {
        await store.write(put({ id: 'a', text: 'free', position: 5 }), runner(5, 2));
        expect(await store.compareAndSet(things, claimed, { text: 'free' })).toBe(true);
      },
    );
    expect(await contents()).toEqual([claimed]);
  });

  it('does not restore what a newer runner has removed', async () => {
    await late(
      () => slow.write(put({ id: 'a', text: 'older', position: 5 }), runner(5, 1)),
      () => store.write(remove('a'), runner(9, 2)),
    );
    expect(await contents()).toEqual([]);
  });

  it('does not remove what a newer runner has written again', async () => {
    await store.write(put({ id: 'a', text: 'first', position: 1 }));
    const again = { id: 'a', text: 'again', position: 9 };
    await late(
      () => slow.write(remove('a'), runner(5, 1)),
      async () => {
        await store.write(remove('a'), runner(5, 2));
        await store.write(put(again), runner(9, 2));
      },
    );
    expect(await contents()).toEqual([again]);
  });

  it('does not remove by the end of its page what a newer runner has put since the event that removed it', async () => {
    await store.write(put({ id: 'a', text: 'first', position: 1 }));
    const again = { id: 'a', text: 'again', position: 9 };
    await late(
      () => slow.write([{ collection: things, remove: [{ id: 'a', position: 5 }] }], runner(20, 1)),
      () => store.write(put(again), runner(9, 2)),
    );
    expect(await contents()).toEqual([again]);
  });

  it('does not keep out, by the end of its page, what a newer runner puts again after it', async () => {
    await store.write(put({ id: 'a', text: 'first', position: 1 }), runner(1, 1));
    await store.write([{ collection: things, remove: [{ id: 'a', position: 5 }] }], runner(20, 1));
    const again = { id: 'a', text: 'again', position: 9 };
    await store.write(put(again), runner(9, 2));
    expect(await contents()).toEqual([again]);
  });

  it('does not move the time of a task, nor insert one, that a newer leader has written', async () => {
    const task: Thing = { id: 'a', text: 'waits', position: 1 };
    await store.write(put(task));
    const moved: Thing = { ...task, text: 'moved' };
    const late: Thing = { ...task, text: 'late' };
    const former = slow.compareAndSet(things, late, { text: 'waits' }, 1);
    const outcome = expect(former).rejects.toThrow(Fenced);
    await arrived.promise;
    expect(await store.compareAndSet(things, moved, { text: 'waits' }, 2)).toBe(true);
    expect(await store.compareAndSet(things, { id: 'b', text: 'entry' } as Thing, null, 2)).toBe(true);
    gate.resolve();
    await outcome;
    await expect(store.compareAndSet(things, { id: 'b', text: 'late' } as Thing, { text: 'entry' }, 1)).rejects.toThrow(
      Fenced,
    );
    await expect(store.compareAndSet(things, { id: 'b', text: 'late' } as Thing, null, 1)).rejects.toThrow(Fenced);
    expect(await store.getMany(things, ['a', 'b'])).toEqual([moved, { id: 'b', text: 'entry' }]);
  });

  it('has no effect if the collection was made again', async () => {
    await late(
      () => slow.write(put({ id: 'a', text: 'older', position: 5 }), runner(5, 1)),
      async () => {
        await store.drop(things);
        await store.ensure([{ name: things, indexes: [] }]);
      },
    );
    expect(await contents()).toEqual([]);
  });
});
