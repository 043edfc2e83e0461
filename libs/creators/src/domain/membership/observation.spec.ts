import { describe, expect, it } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import { at, given } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import {
  abandoned,
  activating,
  active,
  creatorOf,
  fact,
  identityObserved,
  imported,
  invited,
  joined,
  linked,
  mergedIdentity,
  miaUser,
  native,
  nativeIdentity,
  onboarded,
  pendingOnboarding,
  standingObserved,
  submitted,
} from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import type { CreatorState, Standing } from '../creator.state.js';
import type { NativeCreator } from '../native-records.js';
import { observeLapse, observeMissing, observeNative } from './observation.js';

const missing = fact('memberNotFound', {});
const ended = fact('membershipEnded', {});
const lapsed = fact('authorizationLapsed', {});

const see =
  (changes: Partial<NativeCreator> = {}) =>
  (state: CreatorState) =>
    state.status === 'known' ? observeNative(state, native(changes)) : [];

describe('a member as the platform shows it', () => {
  it('D50, D40: an unchanged one appends nothing', () => {
    given(creatorDecider, imported).when(see()).thenNothing();
  });

  it.each([
    ['a name', { ...nativeIdentity, displayName: 'Mia Rosa' }],
    ['an alias', { ...nativeIdentity, aliases: ['mimi', 'mia'] }],
    ['a profile', { ...nativeIdentity, profiles: [{ platform: 'x', username: 'mia', profileId: null }] }],
    ['the order of aliases', { ...mergedIdentity, aliases: [...mergedIdentity.aliases].reverse() }],
  ])('records %s that changed', (_what, identity) => {
    given(creatorDecider, imported)
      .when(see({ identity }))
      .then([identityObserved(identity, nativeIdentity)]);
    given(creatorDecider, [...imported, identityObserved(identity)])
      .when(see({ identity }))
      .thenNothing();
  });

  it.each<[string, Partial<Standing>]>([
    ['onboarding', { onboardingComplete: false }],
    ['the authorization', { authorization: { approved: false, status: 'rejected', expiresAt: null } }],
    [
      'the end of the authorization',
      { authorization: { approved: true, status: 'approved', expiresAt: '2030-01-01T00:00:00Z' } },
    ],
    ['the entitlement', { entitlement: { active: false, source: 'none' } }],
    ['the source of the entitlement', { entitlement: { active: true, source: 'creator_subscription' } }],
  ])('records %s that changed', (_what, changes) => {
    given(creatorDecider, imported)
      .when(see(changes))
      .then([standingObserved(changes)]);
    given(creatorDecider, [...imported, standingObserved(changes)])
      .when(see(changes))
      .thenNothing();
  });

  it('D43: losing authorization or entitlement does not pause', () => {
    const lost = { entitlement: { active: false, source: 'none' } };
    const events = [identityObserved(nativeIdentity, mergedIdentity), standingObserved(lost)];
    given(creatorDecider, active).when(see(lost)).then(events);
    expect(creatorOf([...active, ...events]).protection.status).toBe('active');
  });

  it('D30: an invitee has no native user before onboarding is complete', () => {
    given(creatorDecider, pendingOnboarding)
      .when(see({ onboardingComplete: false }))
      .thenNothing();
  });

  it.each([
    ['accepted', pendingOnboarding],
    ['pending', invited],
  ])('D30: onboarding that is complete links the user, its invitation still %s here', (_status, past) => {
    const events = [onboarded, identityObserved(nativeIdentity, submitted), standingObserved()];
    given(creatorDecider, past).when(see()).then(events);
    expect(creatorOf([...past, ...events])).toMatchObject({
      userId: miaUser,
      enrollment: { status: 'linked', via: 'invitation' },
    });
    given(creatorDecider, [...past, ...events])
      .when(see())
      .thenNothing();
  });

  it('D30: identity is recorded with onboarding, also where it is the submitted one', () => {
    const identity = creatorOf(invited).identity;
    given(creatorDecider, invited)
      .when(see({ identity }))
      .then([onboarded, identityObserved(identity, identity), standingObserved()]);
  });
});

describe('a member that the platform no longer shows', () => {
  const miss =
    (began: number | null, now = 9_000) =>
    (state: CreatorState) =>
      observeMissing(state, began === null ? null : { began, now });
  const gone = [...active.map((event) => at(0, event)), at(1_000, missing)];

  it('D43: a first 404 hides it, and leaves protection as it is', () => {
    given(creatorDecider, active).when(miss(null)).then([missing]);
    expect(creatorOf(gone)).toMatchObject({
      membership: { status: 'missing', since: 1_000 },
      protection: { status: 'active' },
    });
  });

  it('D43: a synchronization that finds it missing for the first time only hides it', () => {
    given(creatorDecider, active).when(miss(5_000)).then([missing]);
  });

  it('D43: a second 404 outside of a synchronization adds nothing', () => {
    given(creatorDecider, gone).when(miss(null), 9_000).thenNothing();
  });

  it('D43: a synchronization that began no later than the first 404 adds nothing', () => {
    given(creatorDecider, gone).when(miss(999), 9_000).thenNothing();
    given(creatorDecider, gone).when(miss(1_000), 9_000).thenNothing();
  });

  it('D43, D93: one that was missed by a clock that was far ahead has left at the next synchronization', () => {
    const past = [...linked.map((event) => at(0, event)), at(HOUR, missing)];
    given(creatorDecider, past)
      .when(miss(1_000, HOUR - MINUTE))
      .thenNothing();
    given(creatorDecider, past)
      .when(miss(1_000, HOUR - MINUTE - 1))
      .then([ended]);
  });

  it('D43: the next synchronization ends membership, and protection with it', () => {
    const events = [ended, fact('protectionPaused', { reason: 'membership_ended' })];
    given(creatorDecider, gone).when(miss(1_001), 9_000).then(events);
    expect(creatorOf([...gone, ...events.map((event) => at(9_000, event))])).toMatchObject({
      membership: { status: 'ended' },
      protection: { status: 'paused' },
      slot: { isWanted: false, isConfirmed: false },
    });
  });

  it.each<[string, readonly CreatorEvent[]]>([
    ['was not activated', linked],
    ['is paused', [...active, fact('protectionPaused', { reason: 'api_request' })]],
  ])('D43: nothing is paused where protection %s', (_how, past) => {
    given(creatorDecider, [...past.map((event) => at(0, event)), at(1_000, missing)])
      .when(miss(2_000))
      .then([ended]);
  });

  it('D42, D43: an intent to activate ends with membership, so that a late activation conflicts', () => {
    const past = [...activating.map((event) => at(0, event)), at(1_000, missing)];
    const events = [ended, abandoned('not_found')];
    given(creatorDecider, past).when(miss(2_000)).then(events);
    expect(creatorOf([...past, ...events])).toMatchObject({
      protection: { status: 'not_activated' },
      slot: { isWanted: false, isConfirmed: false },
    });
  });

  it('D43: membership ends once', () => {
    given(creatorDecider, [...gone, at(2_000, ended)])
      .when(miss(9_000))
      .thenNothing();
  });

  it('D43: one that shows again was found, and is as it was', () => {
    given(creatorDecider, [...linked, missing])
      .when(see({ identity: mergedIdentity }))
      .then([fact('memberFound', {})]);
    expect(creatorOf([...gone, fact('memberFound', {})])).toMatchObject({
      membership: { status: 'current' },
      protection: { status: 'active' },
    });
  });

  it('D77: its changes are recorded before its return, so that one event shows its present state', () => {
    given(creatorDecider, [...linked, missing])
      .when(see())
      .then([identityObserved(nativeIdentity, mergedIdentity), fact('memberFound', {})]);
    given(creatorDecider, [...linked, missing, ended])
      .when(see())
      .then([identityObserved(nativeIdentity, mergedIdentity), fact('returned', {})]);
  });

  it('D77: an active one needs its slot again before it is shown, and asks for it once', () => {
    const asked = fact('slotReoccupationRequested', {});
    given(creatorDecider, [...gone, identityObserved(nativeIdentity)])
      .when(see())
      .then([asked]);
    given(creatorDecider, [...gone, identityObserved(nativeIdentity), at(2_000, asked)])
      .when(see())
      .thenNothing();
    expect(creatorOf([...gone, at(2_000, asked)])).toMatchObject({
      membership: { status: 'missing' },
      protection: { status: 'active' },
      slot: { isWanted: true, isConfirmed: false },
    });
  });

  it('D77, D43: one that is missing again before it had its slot is missing for the first time', () => {
    const past = [...gone, at(2_000, fact('slotReoccupationRequested', {}))];
    given(creatorDecider, past).when(miss(9_000)).then([missing]);
    expect(creatorOf([...past, at(3_000, missing)])).toMatchObject({
      membership: { status: 'missing', since: 3_000 },
      slot: { isWanted: true, isConfirmed: true },
    });
  });

  it('D43: one that returns keeps its id and external id, and stays paused', () => {
    const past = [...gone, at(2_000, ended), at(2_000, fact('protectionPaused', { reason: 'membership_ended' }))];
    given(creatorDecider, past)
      .when(see({ identity: mergedIdentity }))
      .then([fact('returned', {})]);
    const before = creatorOf(active);
    expect(creatorOf([...past, fact('returned', {})])).toMatchObject({
      creatorId: before.creatorId,
      externalId: before.externalId,
      createdAt: before.createdAt,
      membership: { status: 'current' },
      protection: { status: 'paused' },
    });
  });

  it('after it was found, two more 404s are needed', () => {
    given(creatorDecider, [...gone, at(2_000, fact('memberFound', {}))])
      .when(miss(3_000))
      .then([missing]);
  });

  it('nothing can be missing without a native user, or without a creator', () => {
    given(creatorDecider, invited).when(miss(1)).thenNothing();
    given(creatorDecider, pendingOnboarding).when(miss(1)).thenNothing();
    given(creatorDecider, []).when(miss(1)).thenNothing();
  });
});

describe('the end of an authorization by the clock', () => {
  const END = '2026-03-01T00:00:00.000Z';
  const end = Date.parse(END);
  const authorized = { authorization: { approved: true, status: 'approved', expiresAt: END } };
  const ending = [...linked, standingObserved(authorized)];

  it('D40: is recorded once it has passed, to the millisecond', () => {
    given(creatorDecider, ending)
      .when(observeLapse, end - 1)
      .thenNothing();
    given(creatorDecider, ending).when(observeLapse, end).then([lapsed]);
    given(creatorDecider, ending)
      .when(observeLapse, end + 1)
      .then([lapsed]);
  });

  it('D40: is recorded once', () => {
    given(creatorDecider, [...ending, lapsed])
      .when(observeLapse, end + 1)
      .thenNothing();
  });

  it('D40: a new authorization has its own end', () => {
    const renewed = { authorization: { ...authorized.authorization, expiresAt: '2027-03-01T00:00:00.000Z' } };
    const past = [...ending, lapsed, standingObserved(renewed)];
    given(creatorDecider, past)
      .when(observeLapse, end + 1)
      .thenNothing();
    given(creatorDecider, past).when(observeLapse, Date.parse('2027-03-01')).then([lapsed]);
  });

  it('D40: does not need the platform: what it repeats adds nothing', () => {
    given(creatorDecider, [...ending, lapsed])
      .when(see({ identity: mergedIdentity, ...authorized }))
      .thenNothing();
  });

  it('an authorization without an end, or one that is not approved, does not lapse', () => {
    given(creatorDecider, linked).when(observeLapse, end).thenNothing();
    const rejected = standingObserved({ authorization: { ...authorized.authorization, approved: false } });
    given(creatorDecider, [...linked, rejected])
      .when(observeLapse, end)
      .thenNothing();
  });

  it('there is none without a native user', () => {
    given(creatorDecider, invited).when(observeLapse, end).thenNothing();
    given(creatorDecider, []).when(observeLapse, end).thenNothing();
    given(creatorDecider, joined).when(observeLapse, end).thenNothing();
  });
});
