import { expect, it } from '@jest/globals';
import { type Document, Fenced } from '#kernel';
import { collectionWith, freshName } from './fixtures.js';
import type { StoreUnderTest } from './store-under-test.js';

export const writesContract = (store: StoreUnderTest): void => {
  it('writes to several collections, and then the checkpoint', async () => {
    const one = await collectionWith(store(), [{ id: 'old' }]);
    const other = await collectionWith(store(), []);
    const checkpoint = { name: freshName('runner'), position: Number.MAX_SAFE_INTEGER, fence: 3 };
    const writes = [
      { collection: one, put: [{ id: 'a' }], remove: ['old'] },
      { collection: other, put: [{ id: 'b' }] },
    ];
    await store().write(writes, checkpoint);
    expect(await store().getMany(one, ['old', 'a'])).toEqual([{ id: 'a' }]);
    expect(await store().getMany(other, ['b'])).toEqual([{ id: 'b' }]);
    expect(await store().checkpoint(checkpoint.name)).toEqual(checkpoint);
  });

  it('knows no checkpoint that was never written', async () => {
    expect(await store().checkpoint(freshName('runner'))).toBeUndefined();
  });

  it('moves a checkpoint without any document', async () => {
    const name = freshName('runner');
    await store().write([], { name, position: 1, fence: 1 });
    await store().write([], { name, position: 2, fence: 1 });
    expect(await store().checkpoint(name)).toEqual({ name, position: 2, fence: 1 });
  });

  it('keeps the event that a checkpoint names, also with documents, and forgets it with a checkpoint that names none', async () => {
    const collection = await collectionWith(store(), []);
    const name = freshName('runner');
    const event = { id: 'e', stream: 'thing-1', revision: 3, position: 12 } as const;
    const named = { name, position: 13, fence: 1, event };
    await store().write([], named);
    expect(await store().checkpoint(name)).toEqual(named);
    const later = { ...named, position: 15, event: { ...event, id: 'f', position: 15 } };
    await store().write([{ collection, put: [{ id: 'a' }] }], later);
    expect(await store().checkpoint(name)).toEqual(later);
    await store().write([], { name, position: 0, fence: 2 });
    expect(await store().checkpoint(name)).toStrictEqual({ name, position: 0, fence: 2 });
  });

  it('refuses what a former leader puts or removes, with or without a checkpoint that moves', async () => {
    const collection = await collectionWith(store(), []);
    const name = freshName('runner');
    const document = (id: string, position: number): Document & { readonly position: number } => ({ id, position });
    const put = (...documents: Document[]) => [{ collection, put: documents }];
    await store().write(put(document('a', 4), document('b', 5)), { name, position: 6, fence: 2 });
    const former = { name, position: 9, fence: 1 };
    await expect(store().write(put(document('a', 8)), former)).rejects.toThrow(Fenced);
    const removals = [{ collection, remove: ['a', { id: 'b', position: 8 }] }];
    await expect(store().write(removals, former)).rejects.toThrow(Fenced);
    await expect(store().write([], former)).rejects.toThrow(Fenced);
    expect(await store().getMany(collection, ['a', 'b'])).toEqual([document('a', 4), document('b', 5)]);
    expect(await store().checkpoint(name)).toEqual({ name, position: 6, fence: 2 });
  });

  it('removes a document by the position of the event that removed it', async () => {
    const collection = await collectionWith(store(), [{ id: 'a' }, { id: 'b' }]);
    const remove = ['a', { id: 'b', position: 5 }];
    await store().write([{ collection, remove }], { name: freshName('runner'), position: 9, fence: 1 });
    expect(await store().count(collection)).toBe(0);
  });

  it('separates the checkpoints of different runners', async () => {
    const [one, other] = [freshName('runner'), freshName('runner')];
    await store().write([], { name: one, position: 10, fence: 9 });
    await store().write([], { name: other, position: 5, fence: 1 });
    expect(await store().checkpoint(one)).toEqual({ name: one, position: 10, fence: 9 });
    expect(await store().checkpoint(other)).toEqual({ name: other, position: 5, fence: 1 });
  });

  it('refuses the checkpoint of an older runner, and accepts that of a newer one, also an earlier position', async () => {
    const name = freshName('runner');
    await store().write([], { name, position: 10, fence: 2 });
    await expect(store().write([], { name, position: 11, fence: 1 })).rejects.toThrow(Fenced);
    expect(await store().checkpoint(name)).toEqual({ name, position: 10, fence: 2 });
    await store().write([], { name, position: 7, fence: 3 });
    expect(await store().checkpoint(name)).toEqual({ name, position: 7, fence: 3 });
    await expect(store().write([], { name, position: 12, fence: 2 })).rejects.toThrow(Fenced);
  });

  it('keeps the later of two writes under different checkpoints, however often each was written before', async () => {
    const collection = await collectionWith(store(), []);
    const [often, seldom] = [freshName('runner'), freshName('runner')];
    const write = (name: string, text: string) =>
      store().write([{ collection, put: [{ id: 'a', text } as Document] }], { name, position: 1, fence: 1 });
    for (let n = 0; n < 5; n++) await write(often, `often ${n}`);
    for (const name of [seldom, often, seldom]) {
      await write(name, `lastly ${name}`);
      expect(await store().get(collection, 'a')).toEqual({ id: 'a', text: `lastly ${name}` });
    }
  });

  it('never shows a checkpoint before its documents', async () => {
    const collection = await collectionWith(store(), []);
    const name = freshName('runner');
    let written = false;
    const writer = async () => {
      for (let position = 1; position <= 50; position++) {
        const put = [0, 1, 2].map((part): Document => ({ id: `${position}_${part}` }));
        await store().write([{ collection, put }], { name, position, fence: 1 });
      }
      written = true;
    };
    const reader = async () => {
      do {
        const position = (await store().checkpoint(name))?.position ?? 0;
        expect(await store().count(collection)).toBeGreaterThanOrEqual(3 * position);
        await new Promise(setImmediate);
      } while (!written);
    };
    await Promise.all([writer(), reader(), reader()]);
    expect(await store().checkpoint(name)).toEqual({ name, position: 50, fence: 1 });
  });
};
