import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, DomainError, MINUTE, SECOND, streamName, type UserId } from '#kernel';
import { aService, claimed, contextOf, owner, type Service } from '../../../contexts/src/service.fixtures.js';
import { commandBusOf } from '../../../testing/src/buses.js';
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
} from '../domain/creator.fixtures.js';
import type { RosterAdmission, RosterEvent } from '../domain/enrollment/roster.events.js';
import { rosterDecider } from '../domain/enrollment/roster.js';
import { enrollmentCount } from './enrollment-count.fixtures.js';
import { EnrollmentFollowUp } from './enrollment-follow-up.js';

const POLL = 5 * MINUTE;

let service: Service;
let followUp: EnrollmentFollowUp;
const TIMEOUT = 8 * SECOND;
let now: number;

beforeEach(async () => {
  service = await aService();
  const options = { syncEvery: POLL, providerTimeout: TIMEOUT };
  followUp = new EnrollmentFollowUp(commandBusOf(service.advanceEnrollmentHandler(service.access, options)));
  now = service.clock.now();
});

const settle = () => followUp.handle(claimed('enrollment', mia));
const creator = async () => {
  const state = await service.creators.load(mia);
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

describe('an enrollment that a crash interrupted between the roster and the creator', () => {
  it('is finished as it was requested if it is a link', async () => {
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

  it('is finished as it was requested even if the roster shows the user of the link before, and is shown then', async () => {
    service.platform.users.set(miaUser, native());
    await admitted('link');
    const scope = { agencyId: agency, workspaceId, epoch: 1 };
    const read = async () => (await service.walkRoster(scope, { limit: 10 }, contextOf())).creators;
    expect(await read()).toEqual([]);
    expect(await service.creators.load(mia)).toEqual({ status: 'unknown' });
    await settle();
    expect(await read()).toMatchObject([{ externalId: 'ext-1', enrollment: { status: 'linked', via: 'link' } }]);
  });

  it('sends an invitation, and then looks it up from time to time', async () => {
    await admitted('invitation');
    expect(await settle()).toEqual({ retryAt: now + POLL });
    expect(await creator()).toMatchObject({ enrollment: { status: 'invited' }, invitee, invitationId: `inv-${mia}` });
    expect(await settle()).toEqual({ retryAt: now + POLL });
    expect(calls('invite')).toBe(1);
  });

  it('gives an imported member its record, and links nothing', async () => {
    service.platform.users.set(miaUser, native());
    await admitted('import');
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({ enrollment: { status: 'linked', via: 'import' }, identityToWrite: null });
    expect(calls('updateIdentity')).toBe(0);
  });

  it('links an imported creator under its new external id', async () => {
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

  it('releases the seat at the second attempt if the user has left, and continues when the user is back (D31)', async () => {
    const counting = enrollmentCount(service.runner);
    const counted = async () => {
      await service.show(counting);
      return (await service.runner.load(rosterDecider, workspaceId)).state.counted;
    };
    const step = () => followUp.handle({ ...claimed('enrollment', mia), dueAt: now });
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
    service.directory.put({ id: agency, name: '', onboardingComplete: true, kycApproved: false, ownerUserId: owner });
    expect(await settle()).toEqual({ retryAt: now + MINUTE });
    expect(service.platform.calls).toEqual([]);
  });

  it('leaves nothing to do if none was admitted', async () => {
    expect(await settle()).toBe('idle');
  });
});

describe('an invitation', () => {
  it('of unknown outcome is found by its reference, and not sent again', async () => {
    const { platform } = service;
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    platform.invitations.set(mia, { id: 'inv-1', status: 'pending', userId: null, emailSent: true, expiresAt: 9 });
    expect(await settle()).toEqual({ retryAt: now + POLL });
    expect(await creator()).toMatchObject({ enrollment: { status: 'invited' }, invitationId: 'inv-1' });
    expect(calls('invite')).toBe(0);
  });

  it('that is not found is sent again', async () => {
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    await settle();
    expect(await creator()).toMatchObject({ enrollment: { status: 'invited' } });
    expect([calls('findInvitation'), calls('invite')]).toEqual([1, 1]);
  });

  it('whose outcome stays unknown is tried again soon, and not sent while it cannot be looked up', async () => {
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    service.platform.failure = new DomainError('provider_unavailable');
    expect(await settle()).toEqual({ retryAt: now + 5 * SECOND });
    expect(calls('invite')).toBe(0);
    expect(await creator()).toMatchObject({ enrollment: { status: 'uncertain' } });
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
    const invitation = platform.invitations.get(mia);
    if (invitation === undefined) throw new Error('not invited');
    platform.invitations.set(mia, { ...invitation, status: 'accepted', userId: miaUser });
    platform.users.set(miaUser, native({ onboardingComplete: false }));
    expect(await settle()).toEqual({ retryAt: now + POLL });
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
    await service.sightings.record(await service.creators.find(mia), native(), contextOf());
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
    await service.sightings.record(await service.creators.find(mia), native(), contextOf());
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({ identityToWrite: null, enrollment: { status: 'linked' } });
  });

  it('is uncertain if its write may have failed, and is written again', async () => {
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
  const due = (dueAt: number) => followUp.handle({ ...claimed('enrollment', mia), dueAt });

  it('is left alone for twice its timeout after the intent', async () => {
    await service.creatorDid(mia, byInvitation);
    // Planned ten seconds after the intent.
    const dueAt = now + 10 * SECOND;
    service.clock.set(now + 2 * TIMEOUT - 1);
    expect(await due(dueAt)).toEqual({ retryAt: now + 2 * TIMEOUT });
    expect(service.platform.calls).toEqual([]);
    service.clock.set(now + 2 * TIMEOUT);
    await due(dueAt);
    expect(service.platform.calls).toEqual(['findInvitation', 'invite', 'getInvitation']);
  });

  it('is left alone for another timeout where its outcome is unknown', async () => {
    await service.creatorDid(mia, byInvitation, fact('invitationUnknown', {}));
    const dueAt = now + SECOND;
    service.clock.set(dueAt + TIMEOUT - 1);
    expect(await due(dueAt)).toEqual({ retryAt: dueAt + TIMEOUT });
    service.clock.set(dueAt + TIMEOUT);
    await due(dueAt);
    expect(service.platform.calls).toEqual(['findInvitation', 'invite', 'getInvitation']);
  });
});

it('is postponed for a denied agency, and makes no outside call (D19)', async () => {
  await service.creatorDid(mia, byInvitation);
  service.directory.put({ id: agency, name: '', onboardingComplete: true, kycApproved: false, ownerUserId: owner });
  expect(await settle()).toEqual({ retryAt: now + MINUTE });
  expect(service.platform.calls).toEqual([]);
});
