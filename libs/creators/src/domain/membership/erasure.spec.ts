import { describe, expect, it } from '@jest/globals';
import { ERASED } from '#kernel';
import { folded, given } from '#testing';
import {
  abandoned,
  activating,
  active,
  byInvitation,
  byLink,
  creatorOf,
  fact,
  imported,
  invited,
  linked,
  native,
  pendingOnboarding,
} from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import { isAccessible, isEligible } from '../creator.state.js';
import { awaitsInvitation, enrollByInvitation, enrollByLink, importCreator, rebind } from '../enrollment/enrollment.js';
import { eraseCreator, eraseCreatorWithoutKey, recordKeyDestroyed } from './erasure.js';
import { observeMissing, observeNative } from './observation.js';

const ended = fact('membershipEnded', {});
const pausedByLeaving = fact('protectionPaused', { reason: 'membership_ended' });
const erased = fact('personalDataErased', {});
const failed = fact('invitationRefused', { code: 'mailbox_full' });

describe('erasing a creator', () => {
  it.each([
    ['linked', linked, [ended, erased]],
    ['imported', imported, [ended, erased]],
    ['active: its protection ends with its membership (D43)', active, [ended, pausedByLeaving, erased]],
    ['one that has left before', [...linked, ended], [erased]],
    ['one whose invitation failed', [byInvitation, failed], [ended, erased]],
    ['cancelled', [...invited, fact('invitationWithdrawn', { as: 'cancelled' })], [ended, erased]],
  ])('that is %s', (_, past, expected) => {
    given(creatorDecider, past).when(eraseCreator).then(expected);
  });

  it('that is erased is a repeat', () => {
    given(creatorDecider, [...linked, ended, erased])
      .when(eraseCreator)
      .thenNothing();
  });

  it('D72: the destruction of its key is recorded once, and only for an erased creator', () => {
    const past = [...linked, ended, erased];
    const keyDestroyed = fact('personalKeyDestroyed', {});
    given(creatorDecider, past).when(recordKeyDestroyed).then([keyDestroyed]);
    given(creatorDecider, [...past, keyDestroyed])
      .when(recordKeyDestroyed)
      .thenNothing();
    for (const other of [[], linked]) given(creatorDecider, other).when(recordKeyDestroyed).thenNothing();
  });

  it.each([
    ['linked', linked, [ended, erased]],
    ['invited', invited, [ended, erased]],
    ['being linked', [byLink], [ended, erased]],
    ['being activated', activating, [ended, abandoned('paused'), erased]],
    ['erased', [...linked, ended, erased], []],
    ['unknown', [], []],
  ])('D101: that is %s is not refused if its key is destroyed already', (_, past, expected) => {
    given(creatorDecider, past).when(eraseCreatorWithoutKey).then(expected);
  });

  it.each([
    ['unknown', []],
    ['being linked', [byLink]],
    ['invited', invited],
    ['being onboarded', pendingOnboarding],
    ['being activated', activating],
  ])('that is %s is refused', (_, past) => {
    given(creatorDecider, past).when(eraseCreator).thenRefused('invalid_request');
  });
});

describe('a creator that was erased', () => {
  const past = [...linked, ended, erased];
  const creator = creatorOf(past);

  it('is neither visible nor eligible, and has no name, in any earlier state', () => {
    expect(creator).toMatchObject({
      externalId: ERASED,
      identity: { displayName: ERASED, aliases: [], profiles: [] },
      invitee: null,
      membership: { status: 'erased' },
    });
    expect([isAccessible(creator), isEligible(creator, 0)]).toEqual([false, false]);
  });

  it('is not observed any more, with any answer of the platform', () => {
    expect(observeNative(creator, native())).toEqual([]);
    expect(observeMissing(creator, { began: 10, now: 10 })).toEqual([]);
    given(creatorDecider, past)
      .when((state) => importCreator(state, { ...creator, externalId: 'svc:x' }, native()))
      .thenNothing();
  });

  it('is not brought under a new binding', () => {
    given(creatorDecider, past)
      .when((state) => rebind(state, 2))
      .thenNothing();
  });

  it('is not enrolled again, and no invitation is sent for it', () => {
    const link = { ...creator, userId: native().userId, identity: creator.identity };
    given(creatorDecider, past)
      .when((state) => enrollByLink(state, link, native()))
      .thenRefused('not_found');
    const failedOne = folded(creatorDecider, [byInvitation, failed, ended, erased]);
    expect(awaitsInvitation(failedOne)).toBe(false);
    const invitee = { email: 'mia@example.com', firstName: 'Mia', lastName: 'Vale', locale: 'en' } as const;
    given(creatorDecider, [byInvitation, failed, ended, erased])
      .when((state) =>
        enrollByInvitation(state, { ...creator, externalId: 'ext', identity: creator.identity, invitee }),
      )
      .thenRefused('not_found');
  });
});
