import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, newId, StoreUnavailable } from '#kernel';
import type { LastSeal, PersonalKeyStore } from '#personal-data';

/** The tests that every store of personal keys passes; `open` opens the same store each time within one test. */
export const personalKeyStoreContract = (
  name: string,
  given: () => Promise<{ open: () => Promise<PersonalKeyStore>; remove: () => Promise<void> }>,
): void => {
  describe(`the ${name} store of personal keys`, () => {
    let location: Awaited<ReturnType<typeof given>>;
    let store: PersonalKeyStore;
    let mia: CreatorId;
    let ivy: CreatorId;

    beforeEach(async () => {
      location = await given();
      store = await location.open();
      [mia, ivy] = [newId('creator'), newId('creator')];
    });
    afterEach(async () => {
      await store.close();
      await location.remove();
    });

    const all = () => Array.fromAsync(store.all());
    const key = (text: string) => Buffer.from(text.padEnd(60, '·'));

    it('has none for those who never had one', async () => {
      expect(await store.get([mia, ivy])).toEqual(new Map());
      expect(await store.get([])).toEqual(new Map());
    });

    it('keeps those that were added, byte by byte', async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
      expect(await store.add(new Map([[mia, bytes]]))).toEqual(new Map([[mia, { status: 'kept', wrapped: bytes }]]));
      expect(await store.get([ivy, mia])).toEqual(new Map([[mia, { status: 'kept', wrapped: bytes }]]));
    });

    it('never replaces a key: the first one stays, also if another process adds one', async () => {
      await store.add(new Map([[mia, key('first')]]));
      const other = await location.open();
      const standing = await Promise.all(
        [store, other].map((each, index) =>
          each.add(
            new Map([
              [mia, key('late')],
              [ivy, key(`ivy ${index}`)],
            ]),
          ),
        ),
      );
      await other.close();
      expect(standing[0]).toEqual(standing[1]);
      expect(standing[0]?.get(mia)).toEqual({ status: 'kept', wrapped: key('first') });
    });

    it('keeps of a destroyed key only the time, and accepts no other in its place', async () => {
      await store.add(
        new Map([
          [mia, key('mia')],
          [ivy, key('ivy')],
        ]),
      );
      await store.destroy(mia, 1_000);
      await store.destroy(mia, 2_000);
      const destroyed = { status: 'destroyed', at: 1_000 };
      expect(await store.add(new Map([[mia, key('again')]]))).toEqual(new Map([[mia, destroyed]]));
      expect(await store.get([mia, ivy])).toEqual(
        new Map<CreatorId, unknown>([
          [mia, destroyed],
          [ivy, { status: 'kept', wrapped: key('ivy') }],
        ]),
      );
    });

    it('destroys also a key that does not exist yet, so that none can be added later', async () => {
      await store.destroy(mia, 1_000);
      expect((await store.add(new Map([[mia, key('late')]]))).get(mia)).toEqual({ status: 'destroyed', at: 1_000 });
    });

    it('shows changes of other instances, and those from before it was opened', async () => {
      const other = await location.open();
      await other.add(new Map([[mia, key('mia')]]));
      expect((await store.get([mia])).get(mia)).toEqual({ status: 'kept', wrapped: key('mia') });
      await store.destroy(mia, 1_000);
      expect((await other.get([mia])).get(mia)).toEqual({ status: 'destroyed', at: 1_000 });
      await other.close();
      const later = await location.open();
      expect((await later.get([mia])).get(mia)).toEqual({ status: 'destroyed', at: 1_000 });
      await later.close();
    });

    it('accepts more keys than fit in one statement', async () => {
      const many = new Map(Array.from({ length: 1_500 }, (_, index) => [newId('creator'), key(`${index}`)]));
      await store.add(many);
      const kept = await store.get([...many.keys()]);
      expect(kept.size).toBe(many.size);
      expect(await all()).toEqual([...kept].toSorted(([one], [other]) => (one < other ? -1 : 1)));
    });

    it('returns all keys, destroyed ones too, in the order of the creators', async () => {
      expect(await all()).toEqual([]);
      await store.add(new Map([[ivy, key('ivy')]]));
      await store.destroy(mia, 1_000);
      const held = [
        [mia, { status: 'destroyed', at: 1_000 }],
        [ivy, { status: 'kept', wrapped: key('ivy') }],
      ];
      expect(await all()).toEqual(held.toSorted(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1)));
    });

    it('replaces a wrapped key only if it is still the one that was read', async () => {
      await store.add(new Map([[mia, key('under the old')]]));
      expect(await store.replace(mia, key('another'), key('under the new'))).toBe(false);
      expect((await store.get([mia])).get(mia)).toEqual({ status: 'kept', wrapped: key('under the old') });
      expect(await store.replace(mia, key('under the old'), key('under the new'))).toBe(true);
      expect((await store.get([mia])).get(mia)).toEqual({ status: 'kept', wrapped: key('under the new') });
      expect(await store.replace(ivy, key('none'), key('under the new'))).toBe(false);
      expect(await store.get([ivy])).toEqual(new Map());
    });

    it('does not restore a destroyed key when it is wrapped again', async () => {
      await store.add(new Map([[mia, key('under the old')]]));
      await store.destroy(mia, 1_000);
      expect(await store.replace(mia, key('under the old'), key('under the new'))).toBe(false);
      expect((await store.get([mia])).get(mia)).toEqual({ status: 'destroyed', at: 1_000 });
    });

    it('has one sentinel: the first one stays, and all that add one concurrently get the same (D71)', async () => {
      expect(await store.sentinel()).toBeUndefined();
      const other = await location.open();
      const standing = await Promise.all([store, other].map((each, n) => each.addSentinel(key(`sentinel ${n}`))));
      expect(standing[0]).toEqual(standing[1]);
      expect(await store.addSentinel(key('late'))).toEqual(standing[0]);
      expect(await other.sentinel()).toEqual(standing[0]);
      await other.close();
      // It is not a creator's key.
      expect(await all()).toEqual([]);
    });

    it('replaces the sentinel that was read, and no other (D85)', async () => {
      expect(await store.replaceSentinel(key('none'), key('new'))).toBe(false);
      expect(await store.sentinel()).toBeUndefined();
      await store.addSentinel(key('old'));
      expect(await store.replaceSentinel(key('another'), key('new'))).toBe(false);
      expect(await store.replaceSentinel(key('old'), key('new'))).toBe(true);
      expect(await store.sentinel()).toEqual(key('new'));
    });

    it('removes the sentinel that was read, and no other (D106)', async () => {
      expect(await store.addSentinel(key('mark'))).toEqual(key('mark'));
      expect(await store.replaceSentinel(key('another'), undefined)).toBe(false);
      expect(await store.replaceSentinel(key('mark'), undefined)).toBe(true);
      expect(await store.sentinel()).toBeUndefined();
    });

    describe('D91: the last seal of the log', () => {
      const seal = (count: number): LastSeal => ({ id: `e${count}`, count, root: 'r', signature: `s${count}` });

      it('is remembered, in place of the one that was read, and no other', async () => {
        expect(await store.lastSeal()).toBeUndefined();
        expect(await store.rememberSeal(seal(2), seal(1))).toBe(false);
        expect(await store.lastSeal()).toBeUndefined();
        expect(await store.rememberSeal(seal(1), undefined)).toBe(true);
        expect(await store.rememberSeal(seal(2), undefined)).toBe(false);
        expect(await store.rememberSeal(seal(3), seal(2))).toBe(false);
        expect(await store.lastSeal()).toEqual(seal(1));
        expect(await store.rememberSeal(seal(3), seal(1))).toBe(true);
        expect(await store.lastSeal()).toEqual(seal(3));
      });

      it('is the same in all instances: of several that replace it one wins', async () => {
        await store.rememberSeal(seal(1), undefined);
        const other = await location.open();
        const outcomes = await Promise.all([store, other].map((each, n) => each.rememberSeal(seal(2 + n), seal(1))));
        expect(outcomes.toSorted()).toEqual([false, true]);
        expect(await other.lastSeal()).toEqual(await store.lastSeal());
        await other.close();
        const later = await location.open();
        expect(await later.lastSeal()).toEqual(await store.lastSeal());
        await later.close();
        expect(await all()).toEqual([]);
      });
    });

    it('is unavailable once it is closed', async () => {
      await store.close();
      await expect(store.get([mia])).rejects.toThrow(StoreUnavailable);
      await expect(store.add(new Map([[mia, key('mia')]]))).rejects.toThrow(StoreUnavailable);
      await expect(store.destroy(mia, 1)).rejects.toThrow(StoreUnavailable);
      await expect(all()).rejects.toThrow(StoreUnavailable);
      await expect(store.sentinel()).rejects.toThrow(StoreUnavailable);
      await expect(store.addSentinel(key('new'))).rejects.toThrow(StoreUnavailable);
      await expect(store.replaceSentinel(key('old'), key('new'))).rejects.toThrow(StoreUnavailable);
      await expect(store.lastSeal()).rejects.toThrow(StoreUnavailable);
      await expect(store.rememberSeal({ id: 'e', count: 1, root: 'r', signature: 's' }, undefined)).rejects.toThrow(
        StoreUnavailable,
      );
      await expect(store.replace(mia, key('old'), key('new'))).rejects.toThrow(StoreUnavailable);
    });
  });
};
