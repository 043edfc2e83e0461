import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CreatorId,
  DomainError,
  derivedId,
  ENCRYPTED,
  MINUTE,
  newEventId,
  PersonalDataUnreadable,
  SECOND,
  streamName,
} from '#kernel';
import { byLink, miaUser, native, submitted } from '../../domain/creator.fixtures.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';

let s: Stage;
let mia: CreatorId;

const update = (...aliases: string[]) => s.updateCreator(mia, s.scope, { aliases }, s.context);
const look = () => s.observeCreator(mia, s.scope, s.context);
const recorded = async () => (await s.creators.recorded(mia)).state;
const shownWith = (...aliases: string[]) => ({ identity: { aliases: expect.arrayContaining(aliases) } });

beforeEach(async () => {
  s = await stage();
  s.platform.users.set(miaUser, native());
  mia = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator.creatorId;
  s.platform.calls.length = 0;
});

describe('a creator whose personal data cannot be decrypted (D71)', () => {
  it('is neither shown nor changed, and the platform is not asked', async () => {
    const [eve, data] = [derivedId('creator', 'eve'), { ...byLink.data, personal: { externalId: ENCRYPTED } }];
    const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'test', workspaceId: s.scope.workspaceId };
    await s.log.append(streamName('creator', eve), 'none', [{ id: newEventId(), ...byLink, data, metadata }]);
    const head = await s.log.head();
    for (const tried of [s.observeCreator, s.activateProtection, s.pauseProtection, s.removeCreator]) {
      await expect(tried(eve, s.scope, s.context)).rejects.toBeInstanceOf(PersonalDataUnreadable);
    }
    expect([s.platform.calls, await s.log.head()]).toEqual([[], head]);
  });
});

describe('what was read before something else was recorded', () => {
  it('does not hide an update that was answered during the read: the platform is asked again', async () => {
    s.platform.duringRead = () => update('Mia Moon');
    expect(await look()).toMatchObject(shownWith('Mia Moon'));
    expect(await recorded()).toMatchObject(shownWith('Mia Moon'));
    // An update reads the creator too (D33).
    expect(s.platform.calls).toEqual(['getCreator', 'getCreator', 'updateIdentity', 'getCreator']);
  });

  it('does not hide an update in the roster either', async () => {
    s.platform.duringRead = () => update('Mia Moon');
    const read = s.walkRoster(s.scope, { limit: 10 }, s.context);
    expect((await read).creators).toMatchObject([shownWith('Mia Moon')]);
    expect(await recorded()).toMatchObject(shownWith('Mia Moon'));
  });

  it('is no sign that a creator has left', async () => {
    s.platform.users.delete(miaUser);
    s.platform.duringRead = () => {
      s.platform.users.set(miaUser, native());
      return update('Mia Moon');
    };
    expect(await look()).toMatchObject({ membership: { status: 'current' } });
  });

  it('is dropped after three readings, and what others have recorded is shown', async () => {
    let updates = 0;
    const overtake = async () => {
      await update(`alias ${++updates}`);
      s.platform.duringRead = overtake;
    };
    s.platform.duringRead = overtake;
    expect(await look()).toMatchObject(shownWith('alias 1', 'alias 2', 'alias 3'));
    expect(s.platform.calls.filter((call) => call === 'getCreator')).toHaveLength(updates + 3);
    expect(updates).toBe(3);
  });

  it('is left out of an enrollment that is repeated', async () => {
    s.platform.duringRead = () => update('Mia Moon');
    const { creator } = await s.linkCreator(s.scope, linkOfMia, s.context);
    expect(creator).toMatchObject(shownWith('Mia Moon'));
  });

  it('is left out of what writing the submitted identity has shown', async () => {
    s = await stage();
    s.platform.users.set(miaUser, native());
    s.platform.outcomes.set('updateIdentity', { outcome: 'unknown', error: new DomainError('provider_timeout') });
    await expect(s.linkCreator(s.scope, linkOfMia, s.context)).rejects.toMatchObject({ code: 'provider_timeout' });
    const [id] = (await s.walkRoster(s.scope, { limit: 10 }, s.context)).creators.map(({ creatorId }) => creatorId);
    mia = id as CreatorId;
    s.platform.duringRead = async () => {
      const user = native({ identity: { ...native().identity, aliases: ['Mia Moon', ...submitted.aliases] } });
      s.platform.users.set(miaUser, user);
      await look();
    };
    const { state } = await s.writeIdentity(await s.creators.recorded(mia), s.context);
    expect(state).toMatchObject({ ...shownWith('Mia Moon'), identityToWrite: null });
    expect(await recorded()).toMatchObject(shownWith('Mia Moon'));
  });
});

it('D9: a creator of another workspace is not found', async () => {
  const elsewhere = { ...s.scope, workspaceId: derivedId('workspace', 'other') };
  await expect(s.creators.forWrite(mia, elsewhere, s.context)).rejects.toMatchObject({ code: 'not_found' });
});

it('D78: the platform is asked again 60 seconds after it was asked, however late it has answered', async () => {
  s.platform.duringRead = async () => {
    s.clock.advance(30 * SECOND);
  };
  await look();
  s.platform.calls.length = 0;
  s.clock.advance(30 * SECOND - 1);
  await s.creators.forRead(mia, s.scope, s.context);
  expect(s.platform.calls).toEqual([]);
  s.clock.advance(1);
  await s.creators.forRead(mia, s.scope, s.context);
  expect(s.platform.calls).toEqual(['getCreator']);
});

it('D78: a user that has become staff is not confirmed as a member', async () => {
  s.clock.advance(MINUTE);
  s.platform.users.set(miaUser, native({ isStaff: true }));
  await expect(look()).rejects.toMatchObject({ code: 'not_found' });
  expect(await s.memberships.isConfirmed(mia, s.clock.now())).toBe(false);
});
