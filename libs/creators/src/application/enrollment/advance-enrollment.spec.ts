import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  DAY,
  DomainError,
  DUE_GRACE,
  HOUR,
  type Instant,
  MINUTE,
  OUTCOME_TIMEOUT,
  SECOND,
  streamName,
  type UserId,
} from '#kernel';
import { given } from '../../../../testing/src/test-ports.module.js';
import { contextOf, owner, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import {
  agency,
  byInvitation,
  fact,
  imported,
  invited,
  invitee,
  linking,
  mia,
  miaUser,
  native,
  submitted,
  workspaceId,
} from '../../domain/creator.fixtures.js';
import { type RosterAdmission, type RosterEvent, rosterDecider } from '../../domain/enrollment/roster.js';
import { observeMember } from '../../domain/membership/observation.js';
import { EnrollmentCount } from '../../processes/enrollment-count.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { CreatorsOptions } from '../access/creator-ports.js';
import { accessibleCreators, RosterReading } from '../membership/roster-reading.js';
import { AdvanceEnrollment } from './advance-enrollment.js';

const POLL = 5 * MINUTE;

let service: TestedContext;
const TIMEOUT = 8 * SECOND;
let now: number;

beforeEach(async () => {
  const options = given(CreatorsOptions, { syncEvery: POLL, providerTimeout: TIMEOUT });
  service = await testedContext([CreatorsModule], [options]);
  now = service.clock.now();
});

const settleDueAt = (dueAt: Instant) =>
  service.commands.execute(new AdvanceEnrollment(mia, workspaceId, dueAt, contextOf()));
const settle = () => settleDueAt(0);
/** When no call can be under way any more. */
const settleLater = () => {
  service.clock.advance(2 * TIMEOUT);
  return settle();
};
const creator = async () => {
  const { state } = await service.creators.recorded(mia);
  if (state.status === 'unknown') throw new Error('no creator');
  return state;
};
const calls = (name: string) => service.platform.calls.filter((call) => call === name).length;

const admitted = async (
  via: RosterAdmission['via'],
  type: 'creatorAdmitted' | 'externalIdReplaced' = 'creatorAdmitted',
) => {
  const isImport = via === 'import';
  const personal = {
    externalId: isImport ? `svc:${miaUser}` : 'ext-1',
    fingerprint: isImport ? null : 'f',
    submitted: isImport ? null : { identity: submitted, invitee: via === 'invitation' ? invitee : null },
  };
  const userId: UserId | null = via === 'invitation' ? null : miaUser;
  const data = { creatorId: mia, agencyId: agency, epoch: 1, via, userId, personal };
  const event: RosterEvent = { type: `roster.${type}.v1`, data };
  await service.runner.run(rosterDecider, workspaceId, contextOf(), () => [event]);
};

describe('a crash between the roster and the creator', () => {
  it('of a link is finished as it was asked for', async () => {
    service.platform.users.set(miaUser, native());
    await admitted('link');
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({
      externalId: 'ext-1',
      userId: miaUser,
      enrollment: { status: 'linked', via: 'link' },
      identity: { displayName: submitted.displayName, aliases: ['mimi', 'rosie'] },
      identityToWrite: null,
    });
    expect(calls('updateIdentity')).toBe(1);
  });

  it('of a link that the roster shows before it is finished is completed as requested, and shown then', async () => {
    service.platform.users.set(miaUser, native());
    await admitted('link');
    const scope = { agencyId: agency, workspaceId, epoch: 1 };
    const roster = service.get(RosterReading);
    const read = async () =>
      accessibleCreators((await roster.read(scope, { limit: 10 }, contextOf(), { rebinding: false })).creators);
    expect(await read()).toEqual([]);
    expect((await service.creators.recorded(mia)).state).toEqual({ status: 'unknown' });
    await settle();
    expect(await read()).toMatchObject([{ externalId: 'ext-1', enrollment: { status: 'linked', via: 'link' } }]);
  });

  it('of an invitation sends it, and then looks it up from time to time', async () => {
    await admitted('invitation');
    expect(await settle()).toEqual({ retryAt: now + 2 * TIMEOUT });
    expect(await settleLater()).toBe('done');
    expect(await creator()).toMatchObject({ enrollment: { status: 'invited' }, invitee, invitationId: `inv-${mia}` });
    expect(await settle()).toEqual({ retryAt: service.clock.now() + POLL });
    expect(calls('invite')).toBe(1);
  });

  it('of an import gives the member its record, and links nothing', async () => {
    service.platform.users.set(miaUser, native());
    await admitted('import');
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({ enrollment: { status: 'linked', via: 'import' }, identityToWrite: null });
    expect(calls('updateIdentity')).toBe(0);
  });

  it('of the enrollment of an import links it under its new external id', async () => {
    service.platform.users.set(miaUser, native());
    await admitted('import');
    await service.creatorDid(mia, ...imported);
    await admitted('link', 'externalIdReplaced');
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({ externalId: 'ext-1', enrollment: { status: 'linked', via: 'link' } });
    expect(calls('updateIdentity')).toBe(1);
  });

  it('is found far back in a long roster', async () => {
    service.platform.users.set(miaUser, native());
    await admitted('link');
    const linkedUser = { creatorId: mia, userId: miaUser };
    const noise: RosterEvent[] = Array.from({ length: 400 }, () => ({
      type: 'roster.nativeUserLinked.v1',
      data: linkedUser,
    }));
    for (let n = 0; n < 3; n++) await service.runner.run(rosterDecider, workspaceId, contextOf(), () => noise);
    await settle();
    expect(await creator()).toMatchObject({ enrollment: { status: 'linked' } });
  });

  it('of a link to a user that has left releases the seat at the second attempt, and continues when the user is back (D31)', async () => {
    const counting = service.get(EnrollmentCount);
    const counted = async () => {
      await service.show(counting);
      return (await service.runner.load(rosterDecider, workspaceId)).state.counted;
    };
    const step = () => settleDueAt(now);
    await admitted('link');
    expect(await step()).toEqual({ retryAt: now + POLL });
    expect(await counted()).toBe(1);
    service.clock.advance(POLL);
    expect(await step()).toEqual({ retryAt: now + POLL + DAY });
    expect(await counted()).toBe(0);
    const head = await service.log.head();
    service.clock.advance(DAY);
    await step();
    expect(await service.log.head()).toBe(head);

    service.platform.users.set(miaUser, native());
    expect(await step()).toBe('idle');
    expect(await creator()).toMatchObject({ externalId: 'ext-1', enrollment: { status: 'linked', via: 'link' } });
    expect(await counted()).toBe(1);
  });

  it('asks nothing about the user while the agency is denied (D19)', async () => {
    await admitted('link');
    service.directory.put({ id: agency, name: '', onboardingComplete: true, kycStatus: 'pending', ownerUserId: owner });
    expect(await settle()).toEqual({ retryAt: now + MINUTE });
    expect(service.platform.calls).toEqual([]);
  });

  it('needs nothing if no enrollment was admitted', async () => {
    expect(await settle()).toBe('idle');
  });
});

describe('an invitation', () => {
  it('whose outcome is unknown is found by its reference instead of being sent again', async () => {
    const { platform } = service;
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    platform.invitations.set(mia, { id: 'inv-1', status: 'pending', userId: null, emailSent: true, expiresAt: 9 });
    expect(await settleLater()).toBe('done');
    expect(await creator()).toMatchObject({ enrollment: { status: 'invited' }, invitationId: 'inv-1' });
    expect(calls('invite')).toBe(0);
  });

  it('that is not found is sent again', async () => {
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    await settleLater();
    expect(await creator()).toMatchObject({ enrollment: { status: 'invited' } });
    expect([calls('findInvitation'), calls('invite')]).toEqual([1, 1]);
  });

  it('whose outcome stays unknown is not sent while it cannot be looked up, and given up after 72 hours (D47)', async () => {
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    service.platform.failure = new DomainError('provider_unavailable');
    await expect(settleLater()).rejects.toBe(service.platform.failure);
    expect(await creator()).toMatchObject({ enrollment: { status: 'uncertain' } });
    service.clock.set(now + OUTCOME_TIMEOUT - 1);
    await expect(settle()).rejects.toBe(service.platform.failure);
    expect(await creator()).toMatchObject({ enrollment: { status: 'uncertain' } });
    service.clock.set(now + OUTCOME_TIMEOUT);
    await expect(settle()).rejects.toBe(service.platform.failure);
    expect(await creator()).toMatchObject({ enrollment: { status: 'failed' } });
    expect(calls('invite')).toBe(0);
  });

  it('whose step was set aside is uncertain until 72 hours after it was sent, and has failed then (D87)', async () => {
    const end = () => service.commands.execute(new AdvanceEnrollment(mia, workspaceId, now, contextOf(), true));
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    expect(await end()).toEqual({ retryAt: now + OUTCOME_TIMEOUT });
    service.clock.set(now + OUTCOME_TIMEOUT - 1);
    expect(await end()).toEqual({ retryAt: now + OUTCOME_TIMEOUT });
    expect(await creator()).toMatchObject({ enrollment: { status: 'uncertain' } });
    service.clock.set(now + OUTCOME_TIMEOUT);
    expect(await end()).toBe('done');
    expect(await creator()).toMatchObject({ enrollment: { status: 'failed' } });
    expect(service.platform.calls).toEqual([]);
  });

  it('that was refused is not sent again by the worker', async () => {
    await service.creatorDid(mia, byInvitation, fact('invitationRefused', { code: 'invitation_rejected' }));
    expect(await settle()).toBe('idle');
    expect(service.platform.calls).toEqual(['findInvitation']);
  });

  it('on its way is followed to the onboarded user, to whom the submitted identity is written once', async () => {
    const { platform } = service;
    await admitted('invitation');
    await settle();
    await settleLater();
    const invitation = platform.invitations.get(mia);
    if (invitation === undefined) throw new Error('not invited');
    platform.invitations.set(mia, { ...invitation, status: 'accepted', userId: miaUser });
    platform.users.set(miaUser, native({ onboardingComplete: false }));
    expect(await settle()).toEqual({ retryAt: service.clock.now() + POLL });
    expect(await creator()).toMatchObject({ userId: null, enrollment: { status: 'pending_onboarding' } });

    platform.users.set(miaUser, native());
    expect(await settle()).toBe('done');
    expect(await creator()).toMatchObject({ userId: miaUser, enrollment: { status: 'linked', via: 'invitation' } });
    expect(calls('updateIdentity')).toBe(0);

    await settle();
    await settle();
    expect(await creator()).toMatchObject({ identityToWrite: null, identity: { displayName: 'Mia Rose' } });
    expect(calls('updateIdentity')).toBe(1);
  });

  it('that has expired is recorded as expired', async () => {
    await service.creatorDid(mia, ...invited);
    service.platform.invitations.set(mia, {
      id: 'inv_1',
      status: 'expired',
      userId: null,
      emailSent: true,
      expiresAt: 604_800_000,
    });
    await settle();
    expect(await creator()).toMatchObject({ enrollment: { status: 'expired' } });
    expect(await settle()).toBe('idle');
  });
});

describe('an identity to write', () => {
  beforeEach(async () => {
    service.platform.users.set(miaUser, native());
    await service.creatorDid(mia, ...linking);
  });

  it('is written once', async () => {
    await settle();
    await settle();
    expect(calls('updateIdentity')).toBe(1);
  });

  it('waits, without a call, while the creator has left, and is written on its return (D43)', async () => {
    await service.creatorDid(mia, fact('membershipEnded', {}));
    expect(await settle()).toBe('idle');
    expect(service.platform.calls).toEqual([]);
    await service.get(CreatorRepository).update(mia, contextOf(), (state) => observeMember(state, native(), null));
    expect(await settle()).toBe('idle');
    expect(calls('updateIdentity')).toBe(1);
  });

  it('waits, without a call, while the creator is missing, and is written when it is seen again', async () => {
    service.platform.users.delete(miaUser);
    expect(await settle()).toEqual({ retryAt: now + POLL });
    expect(await creator()).toMatchObject({ membership: { status: 'missing' } });
    expect(await settle()).toEqual({ retryAt: now + POLL });
    expect(service.platform.calls).toEqual(['updateIdentity']);
    service.platform.users.set(miaUser, native());
    await service.get(CreatorRepository).update(mia, contextOf(), (state) => observeMember(state, native(), null));
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({ identityToWrite: null, enrollment: { status: 'linked' } });
  });

  it('whose writing may have failed is uncertain, and written again', async () => {
    const { platform } = service;
    platform.outcomes.set('updateIdentity', { outcome: 'unknown', error: new DomainError('provider_timeout') });
    await expect(settle()).rejects.toThrow('provider_timeout');
    expect(await creator()).toMatchObject({ enrollment: { status: 'uncertain' } });
    await settle();
    expect(await creator()).toMatchObject({ enrollment: { status: 'linked' } });
    const types = await service.typesOf(streamName('creator', mia));
    expect(types.filter((type) => type === 'creator.identityWritten.v1')).toHaveLength(1);
  });
});

describe('a call that may still be under way', () => {
  const calledAfter = async (dueAt: Instant, endsBy: Instant) => {
    service.clock.set(endsBy - 1);
    expect(await settleDueAt(dueAt)).toEqual({ retryAt: endsBy });
    expect(service.platform.calls).toEqual([]);
    service.clock.set(endsBy);
    await settleDueAt(dueAt);
    return service.platform.calls;
  };

  it('is left alone for twice its timeout after the intent', async () => {
    await service.creatorDid(mia, byInvitation);
    expect(await calledAfter(now + DUE_GRACE, now + 2 * TIMEOUT)).toEqual(['findInvitation', 'invite']);
  });

  it('is left alone as long where its outcome is unknown', async () => {
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    expect(await calledAfter(now, now + 2 * TIMEOUT)).toEqual(['findInvitation', 'invite']);
  });

  it('is left alone as long where another try has reserved a seat', async () => {
    await service.creatorDid(mia, byInvitation, fact('invitationRefused', { code: 'invitation_rejected' }));
    const triedAt = now + HOUR;
    expect(await calledAfter(triedAt + DUE_GRACE, triedAt + 2 * TIMEOUT)).toEqual(['findInvitation']);
  });
});

it('is postponed for a denied agency, and makes no outside call (D19)', async () => {
  await service.creatorDid(mia, byInvitation);
  service.directory.put({ id: agency, name: '', onboardingComplete: true, kycStatus: 'pending', ownerUserId: owner });
  expect(await settle()).toEqual({ retryAt: now + MINUTE });
  expect(service.platform.calls).toEqual([]);
});
