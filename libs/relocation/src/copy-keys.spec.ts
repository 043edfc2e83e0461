import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, newId } from '#kernel';
import type { KeptKey, PersonalKeyStore } from '#personal-data';
import { InMemoryKeyStore } from '#testing';
import { copyKeys } from './copy-keys.js';
import { CopyRefused } from './log-walk.js';

const wrapped = (text: string) => Buffer.from(text.padEnd(60, '·'));

describe('A copy of the keys of personal data', () => {
  let source: PersonalKeyStore;
  let target: PersonalKeyStore;
  let creators: CreatorId[];

  beforeEach(async () => {
    creators = Array.from({ length: 1_200 }, () => newId('creator'));
    source = new InMemoryKeyStore();
    target = new InMemoryKeyStore();
    await source.add(new Map(creators.map((id) => [id, wrapped(id)])));
    for (const id of creators.slice(0, 20)) await source.destroy(id, 1_000);
  });

  const held = (store: PersonalKeyStore) => Array.fromAsync(store.all());
  const some = (count: number) => creators.slice(-count);

  it('holds all of them as they were, wrapped, and the marks of destroyed ones', async () => {
    expect(await copyKeys(source, target)).toEqual({
      keys: 1_200,
      destroyed: 20,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await held(target)).toEqual(await held(source));
  });

  it('is completed by the same command after an interruption, and gives the same result when repeated', async () => {
    await target.add(new Map(some(300).map((id) => [id, wrapped(id)])));
    const copied = await copyKeys(source, target);
    expect(await copyKeys(source, target)).toEqual(copied);
    expect(await held(target)).toEqual(await held(source));
  });

  it('destroys in the target what was destroyed in the source since it was copied', async () => {
    await copyKeys(source, target);
    await source.destroy(some(1)[0] as CreatorId, 2_000);
    expect(await copyKeys(source, target)).toMatchObject({ destroyed: 21 });
    expect(await held(target)).toEqual(await held(source));
  });

  it('includes the sentinel, and is refused if the target has another one (D71)', async () => {
    await source.addSentinel(wrapped('sentinel'));
    await copyKeys(source, target);
    expect(await target.sentinel()).toEqual(wrapped('sentinel'));
    await copyKeys(source, target);
    const foreign = new InMemoryKeyStore();
    await foreign.addSentinel(wrapped('another'));
    await expect(copyKeys(source, foreign)).rejects.toThrow(CopyRefused);
    expect(await held(foreign)).toEqual([]);
  });

  const others: readonly (readonly [string, (id: CreatorId) => Promise<unknown>])[] = [
    ['another key of the same creator', (id) => target.add(new Map([[id, wrapped('another')]]))],
    [
      'the key of a creator that the source does not know',
      () => target.add(new Map([[newId('creator'), wrapped('')]])),
    ],
    ['that a key was destroyed which the source still has', (id) => target.destroy(id, 3_000)],
  ];

  it.each(others)('is refused, and changes nothing, if the target holds %s', async (_, given) => {
    const id = some(1)[0] as CreatorId;
    await given(id);
    const before: (readonly [CreatorId, KeptKey])[] = await held(target);
    await expect(copyKeys(source, target)).rejects.toThrow(CopyRefused);
    expect(await held(target)).toEqual(before);
  });
});
