import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, type DocumentStore, Fenced } from '#kernel';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';
import { heldStore } from './testing/held-store.js';

const database = emptyDatabase();
const suite = database === undefined ? describe.skip : describe;

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
