import { beforeEach, describe, expect, it } from '@jest/globals';
import { agencyDecider } from '#agencies';
import {
  type CreatorId,
  DomainError,
  HOUR,
  Logger,
  MINUTE,
  newId,
  PersonalDataUnreadable,
  SECOND,
  streamName,
  type UserId,
} from '#kernel';
import { RecordingLogger } from '#testing';
import { given } from '../../../../testing/src/test-ports.module.js';
import { contextOf, owner, scope, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import {
  activated,
  activationRequested,
  agency,
  fact,
  invitee,
  miaUser,
  native,
  submitted,
  workspaceId,
} from '../../domain/creator.fixtures.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';
import type { NativeCreator } from '../../domain/native-records.js';
import { CreatorsOptions } from '../access/creator-ports.js';
import { Memberships } from '../access/memberships.js';
import { InviteCreator } from '../enrollment/invite-creator.js';
import { SettleSlot } from '../protection/change-protection.js';
import { ObserveRoster } from './observe-creator.js';
import { SynchronizeRoster } from './synchronize-roster.js';

let service: TestedContext;
let logger: RecordingLogger;

beforeEach(async () => {
  logger = new RecordingLogger();
  service = await testedContext([CreatorsModule], [given(Logger, logger)]);
});

const run = () => {
  service.clock.advance(1);
  return service.commands.execute(new SynchronizeRoster(agency, contextOf()));
};
const join = (userId: UserId, changes: Partial<NativeCreator> = {}) =>
  service.platform.users.set(userId, native({ userId, ...changes }));
const user = (n: number) => `0a000000-0000-4000-8000-${String(n).padStart(12, '0')}` as UserId;
const known = async () => (await service.runner.load(rosterDecider, workspaceId)).state;
const idOf = async (userId: UserId) => {
  const creatorId = (await known()).byUser.get(userId);
  if (creatorId === undefined) throw new Error('not on the roster');
  return creatorId;
};
const creator = async (userId = miaUser) => {
  const { state } = await service.creators.recorded(await idOf(userId));
  if (state.status === 'unknown') throw new Error('no creator');
  return state;
};

describe('a synchronization', () => {
  it('gives every member a creator, page after page', async () => {
    for (let n = 0; n < 401; n++) join(user(n));
    expect(await run()).toEqual({ retryAt: service.clock.now() + service.get(CreatorsOptions).syncEvery });
    expect((await known()).creators.size).toBe(401);
    expect(service.platform.calls.filter((call) => call === 'listRoster')).toHaveLength(9);
    expect(await creator(user(400))).toMatchObject({ enrollment: { status: 'linked', via: 'import' } });
  });

  it('confirms the members that it reads to all processes, for 60 seconds after it asked for their page (D78)', async () => {
    join(miaUser);
    service.platform.duringRead = async () => service.clock.advance(30 * SECOND);
    await run();
    const elsewhere = new Memberships(service.documents);
    const asked = service.clock.now() - 30 * SECOND;
    expect(await elsewhere.isConfirmed(await idOf(miaUser), asked + MINUTE - 1)).toBe(true);
    expect(await elsewhere.isConfirmed(await idOf(miaUser), asked + MINUTE)).toBe(false);
  });

  it('records nothing if the roster has not changed', async () => {
    join(miaUser);
    await run();
    const head = await service.log.head();
    await run();
    expect(await service.log.head()).toBe(head);
  });

  it('records what has changed', async () => {
    join(miaUser);
    await run();
    join(miaUser, { entitlement: { active: false, source: 'none' } });
    await run();
    expect(await creator()).toMatchObject({ standing: { entitlement: { active: false } } });
  });

  it('leaves out staff, and invitees whose onboarding is not complete', async () => {
    join(user(1), { isStaff: true });
    join(user(2), { onboardingComplete: false, invitationReference: newId('creator') });
    await run();
    expect((await known()).creators.size).toBe(0);
  });

  it('imports a member whose onboarding is not complete and who was not invited: the platform lists it (D35)', async () => {
    join(miaUser, { onboardingComplete: false });
    await run();
    expect(await creator()).toMatchObject({ enrollment: { via: 'import' }, standing: { onboardingComplete: false } });
  });

  it('recognizes an invitee, who becomes no second creator (D35)', async () => {
    const request = { externalId: 'ext-1', identity: submitted, fingerprint: 'f', invitee };
    const { creator: mia } = await service.commands.execute(new InviteCreator(scope, request, contextOf()));
    join(miaUser, { invitationReference: mia.creatorId });
    await run();
    expect(await idOf(miaUser)).toBe(mia.creatorId);
    expect(await creator()).toMatchObject({ externalId: 'ext-1', userId: miaUser });
  });

  it('moves no creator to a new binding: only the agency’s own reading does (D21)', async () => {
    join(miaUser);
    await run();
    service.directory.put({
      id: agency,
      name: '',
      onboardingComplete: true,
      kycStatus: 'approved',
      ownerUserId: user(9),
    });
    await service.runner.run(agencyDecider, agency, contextOf(), () => [
      { type: 'agency.rebound.v1', data: { epoch: 2, ownerUserId: user(9) } },
    ]);
    await run();
    expect(await creator()).toMatchObject({ epoch: 1 });
  });

  it('is postponed for a denied agency, and reads nothing', async () => {
    join(miaUser);
    service.directory.put({ id: agency, name: '', onboardingComplete: true, kycStatus: 'pending', ownerUserId: owner });
    expect(await run()).toEqual({ retryAt: service.clock.now() + MINUTE });
    expect(service.platform.calls).toEqual([]);
  });
});

describe('a creator that the roster does not show (D43)', () => {
  beforeEach(async () => {
    join(miaUser);
    join(user(2));
    await run();
    await service.creatorDid(await idOf(miaUser), activationRequested, activated);
    service.platform.users.delete(miaUser);
  });

  it('is hidden at first, and keeps its protection', async () => {
    await run();
    expect(await creator()).toMatchObject({ membership: { status: 'missing' }, protection: { status: 'active' } });
    expect(await creator(user(2))).toMatchObject({ membership: { status: 'current' } });
  });

  it('has left when the next synchronization does not show it either, and its protection is paused', async () => {
    await run();
    await run();
    expect(await creator()).toMatchObject({ membership: { status: 'ended' }, protection: { status: 'paused' } });
    const [paused] = await service.log.readStream(streamName('creator', await idOf(miaUser)), {
      direction: 'backwards',
      limit: 1,
    });
    expect(paused).toMatchObject({ type: 'creator.protectionPaused.v1', data: { reason: 'membership_ended' } });
  });

  it('is not looked up again after it has left', async () => {
    await run();
    await run();
    service.platform.calls.length = 0;
    await run();
    expect(service.platform.calls).toEqual(['listRoster']);
  });

  it('is not looked up after its data was erased (D72)', async () => {
    await service.creatorDid(await idOf(miaUser), fact('membershipEnded', {}), fact('personalDataErased', {}));
    service.platform.calls.length = 0;
    await run();
    expect(service.platform.calls).toEqual(['listRoster']);
  });

  it('is looked up alone, and stays if the platform shows it', async () => {
    join(miaUser, { onboardingComplete: false, invitationReference: newId('creator') });
    await run();
    expect(service.platform.calls).toContain('getCreator');
    expect(await creator()).toMatchObject({
      membership: { status: 'current' },
      standing: { onboardingComplete: false },
    });
  });

  it('is as before if it returns after one synchronization and its slot is occupied again (D77)', async () => {
    await run();
    join(miaUser);
    await run();
    expect(await creator()).toMatchObject({
      membership: { status: 'missing' },
      slot: { isWanted: true, isConfirmed: false },
    });
    await service.commands.execute(new SettleSlot((await creator()).creatorId, contextOf()));
    expect(await creator()).toMatchObject({ membership: { status: 'current' }, protection: { status: 'active' } });
  });

  it('keeps its ids if it returns after it has left, and stays paused', async () => {
    const before = await creator();
    await run();
    await run();
    service.clock.advance(HOUR);
    join(miaUser);
    await run();
    const { creatorId, externalId } = before;
    expect(await creator()).toMatchObject({
      creatorId,
      externalId,
      membership: { status: 'current' },
      protection: { status: 'paused' },
    });
  });
});

describe('a failure of the platform', () => {
  it('makes no creator missing', async () => {
    join(miaUser);
    await run();
    service.platform.users.delete(miaUser);
    service.platform.failure = new DomainError('provider_unavailable');
    await expect(run()).rejects.toThrow('provider_unavailable');
    expect(await creator()).toMatchObject({ membership: { status: 'current' } });
  });

  it('in one record counts that member as present, while others become missing (D65)', async () => {
    for (let n = 0; n < 3; n++) join(user(n));
    await run();
    service.platform.users.delete(user(0));
    service.platform.users.delete(user(1));
    service.platform.refused = [{ id: user(0), reason: 'display_name is not a text' }];
    await run();
    expect(await creator(user(0))).toMatchObject({ membership: { status: 'current' } });
    expect(await creator(user(1))).toMatchObject({ membership: { status: 'missing' } });
  });

  it('in a record without a usable id makes no creator missing, and new members are recorded (D65)', async () => {
    join(user(0));
    await run();
    service.platform.users.delete(user(0));
    join(user(1));
    service.platform.refused = [{ id: null, reason: 'user_id is not a UUID' }];
    await run();
    expect(await creator(user(0))).toMatchObject({ membership: { status: 'current' } });
    expect(await creator(user(1))).toMatchObject({ enrollment: { status: 'linked', via: 'import' } });
  });

  it('in the middle of the roster makes no creator missing either', async () => {
    for (let n = 0; n < 250; n++) join(user(n));
    await run();
    const { platform } = service;
    platform.users.delete(user(3));
    const listRoster = platform.listRoster.bind(platform);
    platform.listRoster = async (agencyId, page) => {
      if (page.after !== undefined) throw new DomainError('provider_timeout');
      return listRoster(agencyId, page);
    };
    await expect(run()).rejects.toThrow('provider_timeout');
    expect(await creator(user(3))).toMatchObject({ membership: { status: 'current' } });
  });
});

describe('a creator that the roster lacks and that cannot be refreshed (D67)', () => {
  let broken: CreatorId;
  beforeEach(async () => {
    for (let n = 0; n < 2; n++) join(user(n));
    await run();
    broken = await idOf(user(0));
    for (let n = 0; n < 2; n++) service.platform.users.delete(user(n));
  });
  const failWith = (error: Error) => {
    const { platform } = service;
    const getCreator = platform.getCreator.bind(platform);
    platform.getCreator = (agencyId, userId) =>
      userId === user(0) ? Promise.reject(error) : getCreator(agencyId, userId);
  };

  it('does not fail the synchronization of its agency, and is logged', async () => {
    failWith(new TypeError('unexpected'));
    expect(await run()).toEqual({ retryAt: service.clock.now() + service.get(CreatorsOptions).syncEvery });
    expect(await creator(user(1))).toMatchObject({ membership: { status: 'missing' } });
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { creatorId: broken } }]);
  });

  it('fails it if the platform is down, after all others were looked up', async () => {
    failWith(new DomainError('provider_unavailable'));
    await expect(run()).rejects.toThrow('provider_unavailable');
    expect(await creator(user(1))).toMatchObject({ membership: { status: 'missing' } });
    expect(logger.lines).toEqual([]);
  });
});

describe('a creator whose personal key is missing (D71)', () => {
  const renamed = { displayName: 'Renamed', aliases: [], profiles: [] };
  /** As the encrypted log does. */
  const loseKeyOf = (creatorId: CreatorId) => {
    const { log } = service;
    const append = log.append.bind(log);
    log.append = (stream, expected, events) => {
      const isEncrypted = stream === streamName('creator', creatorId) && events.some(({ data }) => 'personal' in data);
      return isEncrypted ? Promise.reject(new PersonalDataUnreadable('missing')) : append(stream, expected, events);
    };
  };

  beforeEach(async () => {
    for (let n = 0; n < 120; n++) join(user(n));
    await run();
    loseKeyOf(await idOf(user(0)));
  });

  it('does not affect the others, and is logged', async () => {
    for (let n = 0; n < 119; n++) join(user(n), { identity: renamed });
    service.platform.users.delete(user(119));
    expect(await run()).toEqual({ retryAt: service.clock.now() + service.get(CreatorsOptions).syncEvery });
    for (const n of [1, 20, 118]) expect(await creator(user(n))).toMatchObject({ identity: renamed });
    expect(await creator(user(119))).toMatchObject({ membership: { status: 'missing' } });
    expect(await creator(user(0))).toMatchObject({ membership: { status: 'current' } });
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { creatorId: await idOf(user(0)) } }]);
    expect(service.platform.calls.filter((call) => call === 'getCreator')).toHaveLength(1);
  });

  it('is no failure when it is looked up alone', async () => {
    join(user(0), { identity: renamed, onboardingComplete: false, invitationReference: newId('creator') });
    expect(await run()).toEqual({ retryAt: service.clock.now() + service.get(CreatorsOptions).syncEvery });
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { creatorId: await idOf(user(0)) } }]);
  });

  it("fails the agency's own reading, which would be incomplete without it", async () => {
    join(user(0), { identity: renamed });
    const reading = service.commands.execute(new ObserveRoster(scope, { limit: 10 }, contextOf()));
    await expect(reading).rejects.toBeInstanceOf(PersonalDataUnreadable);
  });
});
