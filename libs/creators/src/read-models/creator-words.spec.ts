import { beforeEach, describe, expect, it } from '@jest/globals';
import { derivedId, ERASED, newId, streamName, wordsOf } from '#kernel';
import { Projecting, workspaceId } from '../../../projections/src/read-models/projected.fixtures.js';
import type { CreatorEvent } from '../domain/creator.events.js';
import { fact, identityObserved, mergedIdentity } from '../domain/creator.fixtures.js';
import { type CreatorWord, CreatorWords, creatorWordsProjection } from './creator-words.js';

let projecting: Projecting<CreatorWord, CreatorEvent>;
let words: CreatorWords;
beforeEach(() => {
  projecting = new Projecting(creatorWordsProjection);
  words = new CreatorWords(projecting.readModel);
});

const named = async (displayName: string, aliases: readonly string[] = []) => {
  const id = newId('creator');
  await projecting.record(streamName('creator', id), identityObserved({ ...mergedIdentity, displayName, aliases }));
  return id;
};
const found = async (text: string, workspace = workspaceId) => [...(await words.find(workspace, wordsOf(text))).ids];

describe('the search for creators by words', () => {
  it('finds the beginning of each word of names and aliases, without case and accents', async () => {
    const mia = await named('Mía Röse', ['Captain Nova']);
    const milo = await named('Milo Rossi');
    expect((await found('MI')).toSorted()).toEqual([mia, milo].toSorted());
    expect(await found('rose')).toEqual([mia]);
    expect(await found('ros mi')).toEqual(expect.arrayContaining([mia, milo]));
    expect(await found('nova mia')).toEqual([mia]);
    expect(await found('ia')).toEqual([]);
    expect(await found('✨')).toEqual([]);
  });

  it('finds an external id by its parts', async () => {
    const id = newId('creator');
    const data = { creatorId: id, workspaceId, personal: { externalId: 'mgmt-0042' } };
    await projecting.record(streamName('creator', id), fact('imported', data as never));
    expect(await found('0042')).toEqual([id]);
    expect(await found('mgmt-0042')).toEqual([id]);
  });

  it('D9: finds nobody of another workspace', async () => {
    await named('Mia');
    expect(await found('mia', derivedId('workspace', 'another'))).toEqual([]);
  });

  it('D72: has no word of an erased text', async () => {
    await named(ERASED, [ERASED]);
    expect(await projecting.all()).toEqual([]);
  });

  it('says that it was cut off, and lets a rarer word decide', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `ab${n}`);
    await named('Nova', many);
    await named('Mia', many);
    const other = await named('Zoe', many);
    expect(await words.find(workspaceId, ['ab'])).toMatchObject({ isCutOff: true });
    expect(await words.find(workspaceId, ['ab', 'zo'])).toEqual({ ids: new Set([other]), isCutOff: false });
  });
});
