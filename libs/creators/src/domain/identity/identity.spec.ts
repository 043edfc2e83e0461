import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CreatorId } from '#kernel';
import { type Stage, stage } from '../../stage.fixtures.js';
import { miaUser, native, nativeIdentity, submitted } from '../creator.fixtures.js';
import type { Identity } from '../creator.state.js';
import { isSameAccount, type Profile } from '../profile-url.js';
import {
  type IdentityChange,
  keptIdentity,
  MAX_ALIASES,
  MAX_PROFILES,
  requireFit,
  searchedIdentity,
} from './identity.js';

const profile = (username: string): Profile => ({ platform: 'x', username, profileId: null });
const aliases = (count: number, prefix = 'alias') => Array.from({ length: count }, (_, n) => `${prefix} ${n}`);
const profiles = (count: number, prefix = 'user') => aliases(count, prefix).map(profile);

let s: Stage;
beforeEach(async () => {
  s = await stage();
});

const holds = (identity: Partial<Identity>) =>
  s.platform.users.set(miaUser, native({ identity: { ...nativeIdentity, ...identity } }));
const link = (identity: Partial<Identity>) =>
  s.linkCreator(
    s.scope,
    { userId: miaUser, externalId: 'ext-mia', identity: { ...submitted, ...identity }, fingerprint: 'body' },
    s.context,
  );
const enroll = async (identity: Partial<Identity> = { aliases: [], profiles: [] }) => (await link(identity)).creator;
const update = (creatorId: CreatorId, change: IdentityChange) => s.updateCreator(creatorId, s.scope, change, s.context);
const patch = async (change: IdentityChange) => update((await enroll()).creatorId, change);
const writes = () => s.platform.calls.filter((call) => call === 'updateIdentity').length;
const refusal = (field: string) => ({ code: 'invalid_request', fields: [expect.objectContaining({ field })] });

describe('D66: the recorded part of the platform’s identity', () => {
  it('is the first 300 aliases and 60 profiles in its order, and so is what is scanned', async () => {
    holds({ aliases: aliases(3_000), profiles: profiles(61) });
    const { identity } = await enroll();
    expect(identity.aliases).toEqual(aliases(MAX_ALIASES));
    expect(identity.profiles).toEqual(profiles(MAX_PROFILES));
    const identityToWrite = { ...submitted, profiles: profiles(20, 'new') };
    expect(searchedIdentity({ identity, identityToWrite }).profiles).toEqual(profiles(MAX_PROFILES));
  });

  it('D75: is the same of a member that the roster imports, and of what is seen of it later', async () => {
    const read = async () => (await s.observeRoster(s.scope, { limit: 10 }, s.context)).creators[0]?.identity;
    holds({ aliases: aliases(MAX_ALIASES + 1), profiles: ['Mia', 'mia'].map(profile) });
    expect(await read()).toMatchObject({ aliases: aliases(MAX_ALIASES), profiles: [profile('Mia')] });
    holds({ aliases: aliases(MAX_ALIASES + 1, 'new'), profiles: ['Eve', 'EVE'].map(profile) });
    expect(await read()).toMatchObject({ aliases: aliases(MAX_ALIASES, 'new'), profiles: [profile('Eve')] });
  });

  it('does not change when it is recorded again', () => {
    const identities = fc.record({
      displayName: fc.string(),
      aliases: fc.array(fc.string(), { maxLength: 400, size: 'max' }),
      profiles: fc.array(fc.constantFrom('Mia', 'mia', 'eve').map(profile), { maxLength: 80, size: 'max' }),
    });
    fc.assert(
      fc.property(identities, (identity) => {
        const kept = keptIdentity(identity);
        expect(keptIdentity(kept)).toEqual(kept);
        expect(
          kept.profiles.some((one, n) => kept.profiles.slice(n + 1).some((other) => isSameAccount(one, other))),
        ).toBe(false);
      }),
    );
  });
});

describe('D66: a PATCH', () => {
  it.each<[string, Partial<Identity>, IdentityChange]>([
    ['aliases', { aliases: aliases(280) }, { aliases: aliases(21, 'new') }],
    ['profile_urls', { profiles: profiles(50) }, { profiles: profiles(11, 'new') }],
    ['aliases', { aliases: aliases(300) }, { displayName: 'New name', aliases: ['one more'] }],
    ['aliases', { aliases: aliases(3_000) }, { aliases: ['one more'] }],
  ])('that would leave too many %s is refused', (field, identity, change) => {
    expect(() => requireFit({ ...nativeIdentity, ...identity }, change)).toThrow(
      expect.objectContaining(refusal(field)),
    );
  });

  it.each<[Partial<Identity>, IdentityChange]>([
    [{ aliases: aliases(280) }, { aliases: aliases(20, 'new') }],
    [
      { aliases: aliases(300), profiles: profiles(60) },
      { aliases: aliases(30), profiles: profiles(20, 'USER') },
    ],
    [{ aliases: aliases(300) }, { displayName: 'New name' }],
    [{ aliases: aliases(300) }, { profiles: profiles(20) }],
    [{ profiles: profiles(80) }, { aliases: ['new'], profiles: profiles(20) }],
  ])('that leaves no more than the limits, or adds nothing new, passes', (identity, change) => {
    expect(() => requireFit({ ...nativeIdentity, ...identity }, change)).not.toThrow();
  });

  it('is decided by what the platform has now, before it is refused', async () => {
    holds({ aliases: aliases(300) });
    const { creatorId } = await enroll();
    holds({ aliases: aliases(10) });
    expect((await update(creatorId, { aliases: ['one more'] })).identity.aliases).toHaveLength(11);
  });

  it('counts what was submitted at enrollment and has yet to be written', async () => {
    holds({ aliases: aliases(280) });
    s.platform.outcomes.set('updateIdentity', { outcome: 'refused', code: 'odd' });
    await link({ aliases: aliases(15, 'submitted') }).catch(() => undefined);
    const roster = await s.walkRoster(s.scope, { limit: 10 }, s.context);
    const [creator] = roster.creators;
    if (creator === undefined) throw new Error('not on the roster');
    const tried = s.updateCreator(creator.creatorId, s.scope, { aliases: aliases(6, 'new') }, s.context);
    await expect(tried).rejects.toMatchObject(refusal('aliases'));
    expect(writes()).toBe(1);
  });
});

describe('D75: a profile that the creator has', () => {
  it('is not sent again in another spelling', async () => {
    holds({ profiles: [profile('Mia')] });
    await enroll();
    const { identity } = await patch({ profiles: [profile('MIA'), profile('eve')] });
    expect(identity.profiles.map(({ username }) => username)).toEqual(['Mia', 'eve']);
    expect(s.platform.users.get(miaUser)?.identity.profiles.map(({ username }) => username)).toEqual(['Mia', 'eve']);
  });

  it.each([null, '', '\u200b', 'seventeen', '\u0661\u0667'])(
    'is sent where the platform holds it on manyvids with the unusable id %j, which makes no URL',
    async (profileId) => {
      const held = { platform: 'manyvids', username: 'Mia', profileId };
      const submitted = { ...held, username: 'mia', profileId: '17' };
      holds({ profiles: [held] });
      const { creatorId } = await enroll();
      expect((await update(creatorId, { profiles: [submitted] })).identity.profiles).toEqual([held, submitted]);
      const before = writes();
      await update(creatorId, { profiles: [{ ...submitted, username: 'renamed' }] });
      expect(writes()).toBe(before);
    },
  );

  it('is not sent at enrollment either', async () => {
    holds({ profiles: [profile('Mia')] });
    await enroll({ profiles: [profile('mia'), profile('eve')] });
    expect(s.platform.users.get(miaUser)?.identity.profiles.map(({ username }) => username)).toEqual(['Mia', 'eve']);
  });

  it('is sent if the platform has lost it since', async () => {
    holds({ profiles: [profile('Mia')] });
    const { creatorId } = await enroll();
    holds({ profiles: [] });
    const { identity } = await update(creatorId, { profiles: [profile('mia')] });
    expect(identity.profiles.map(({ username }) => username)).toEqual(['mia']);
  });
});

describe('D66: an enrollment', () => {
  it('that would leave too many is refused, and nothing is reserved or written', async () => {
    holds({ aliases: aliases(290) });
    const head = await s.log.head();
    await expect(link({ aliases: aliases(11, 'new') })).rejects.toMatchObject(refusal('aliases'));
    expect([writes(), await s.log.head()]).toEqual([0, head]);
  });

  it('that was accepted passes again, however much the platform holds by then', async () => {
    holds({ aliases: aliases(290) });
    await link({ aliases: aliases(10, 'new') });
    holds({ aliases: aliases(500) });
    expect(await link({ aliases: aliases(10, 'new') })).toMatchObject({ isNew: false });
  });
});
