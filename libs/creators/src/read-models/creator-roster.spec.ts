import { describe, expect, it } from '@jest/globals';
import { derivedId, streamName } from '#kernel';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import type { CreatorEvent } from '../domain/creator.events.js';
import {
  active,
  creatorOf,
  fact,
  identityObserved,
  imported,
  importLinked,
  invited,
  joined,
  linked,
  mergedIdentity,
  mia,
  paused,
  pendingOnboarding,
  workspaceId,
} from '../domain/creator.fixtures.js';
import { type CreatorEntry, creatorRosterProjection } from './creator-roster.js';
import { type CreatorOfProfile, CreatorsOfProfiles, creatorsOfProfilesProjection } from './creators-of-profiles.js';

const stream = streamName('creator', mia);

const entryAfter = async (past: readonly CreatorEvent[]) => {
  const projecting = new Projecting<CreatorEntry, CreatorEvent>(creatorRosterProjection);
  for (const event of past) {
    if (creatorRosterProjection.on.has(event.type)) await projecting.record(stream, event);
  }
  return projecting.get(mia);
};

describe.each<[string, readonly CreatorEvent[]]>([
  ['invited', invited],
  ['refused', [...invited.slice(0, 1), fact('invitationRefused', { code: 'address_refused' })]],
  ['pending onboarding', pendingOnboarding],
  ['joined', joined],
  ['linked', linked],
  ['imported and linked', [...imported, importLinked]],
  ['active', active],
  ['paused', [...active, paused]],
  ['missing', [...active, fact('memberNotFound', {})]],
  ['gone', [...active, fact('memberNotFound', {}), paused, fact('membershipEnded', {})]],
  ['erased', [...linked, fact('personalDataErased', {})]],
])('the entry of a creator that is %s', (name, past) => {
  it('has the statuses of the stream', async () => {
    const { enrollment, protection } = creatorOf(past);
    const isHidden = ['missing', 'gone', 'erased'].includes(name);
    expect(await entryAfter(past)).toMatchObject({
      workspaceId,
      enrollment: enrollment.status,
      protection: protection.status,
      isShown: isHidden ? 0 : 1,
    });
  });

  it('D72: has no text of the creator but the name', async () => {
    const text = JSON.stringify(await entryAfter(past));
    const { aliases, profiles } = mergedIdentity;
    const texts = [...aliases, ...profiles.map(({ username }) => username), 'ext-1', 'mia@example.com'];
    expect(texts.filter((one) => text.includes(one))).toEqual([]);
  });
});

it('sorts a creator by its present name, without case and accents, until an erasure', async () => {
  const named = identityObserved({ ...mergedIdentity, displayName: 'Ève  Dupont' });
  expect(await entryAfter([...linked, named])).toMatchObject({ order: `eve dupont\t${mia}` });
  const erased = [...linked, named, fact('personalDataErased', {})];
  expect(await entryAfter(erased)).toMatchObject({ order: `\t${mia}` });
  expect(JSON.stringify(await entryAfter(erased))).not.toContain('Dupont');
});

it('finds the creator of an account, in any case of its name, in its workspace', async () => {
  const projecting = new Projecting<CreatorOfProfile, CreatorEvent>(creatorsOfProfilesProjection);
  const creators = new CreatorsOfProfiles(projecting.readModel);
  const profile = { platform: 'instagram', username: 'Mia.Rose', profileId: null };
  const identity = { ...mergedIdentity, profiles: [profile] };
  const recorded = await projecting.record(stream, identityObserved(identity));
  const workspace = recorded.metadata.workspaceId ?? workspaceId;
  expect(await creators.find(workspace, { ...profile, username: 'mia.rose' })).toBe(mia);
  expect(await creators.find(workspace, { ...profile, platform: 'x' })).toBeUndefined();
  expect(await creators.find(derivedId('workspace', 'another'), profile)).toBeUndefined();
});
