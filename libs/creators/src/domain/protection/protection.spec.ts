import { describe, expect, it } from '@jest/globals';
import { at } from '#testing';
import {
  abandoned,
  activated,
  activating,
  activationRequested,
  active,
  byInvitation,
  creatorOf,
  fact,
  imported,
  invited,
  joined,
  linked,
  linking,
  paused,
  pendingOnboarding,
  slotReleased,
  standingObserved,
} from '../creator.fixtures.js';
import { assertEnrolled, type CreatorState } from '../creator.state.js';
import { givenCreator } from '../effects.fixtures.js';
import {
  ACTIVATION_TIMEOUT,
  abandonActivation,
  abandonOverdueActivation,
  activationOpenUntil,
  pauseProtection,
  requestActivation,
} from './protection.js';

const request =
  (epoch = 1, activationId = 'act-1') =>
  (state: CreatorState, now: number) =>
    requestActivation(assertEnrolled(state), { activationId, epoch }, now);

const requestedAgain = fact('activationRequested', { activationId: 'act-2' });
const pausedCreator = [...active, paused, slotReleased];
const ineligible = standingObserved({ entitlement: { active: false, source: 'none' } });

describe('asking for activation', () => {
  it.each([
    ['a linked creator', linked],
    ['an imported creator', imported],
    ['a creator that joined by invitation', joined],
    ['a paused creator', pausedCreator],
    ['a paused creator whose slot has yet to be released', [...active, paused]],
    ['a creator whose last activation was abandoned', [...activating, abandoned('unsettled')]],
  ])('D42: records the intent of %s before the slot is asked for', (_who, past) => {
    givenCreator(past).when(request()).then([activationRequested]);
  });

  it('D42: the intent alone activates nothing', () => {
    const creator = creatorOf([...linked.map((event) => at(0, event)), at(7_000, activationRequested)]);
    expect(creator).toMatchObject({
      protection: { status: 'not_activated' },
      slot: { isWanted: true, isConfirmed: false, activation: { id: 'act-1', since: 7_000 } },
    });
  });

  it('D42: an open intent is continued, under its fence and until its time', () => {
    givenCreator(activating).when(request(1, 'act-2'), 1).thenNothing();
  });

  it('D41: while active nothing but the binding is checked, and nothing recorded', () => {
    givenCreator(active).when(request()).thenNothing();
    givenCreator([...active, ineligible])
      .when(request())
      .thenNothing();
    givenCreator(active).when(request(2)).thenRefused('creator_rebinding_required');
  });

  it('D42: the first gate is the binding', () => {
    givenCreator(linked).when(request(2)).thenRefused('creator_rebinding_required');
    givenCreator(invited).when(request(2)).thenRefused('creator_rebinding_required');
    givenCreator([...linked, ineligible])
      .when(request(2))
      .thenRefused('creator_rebinding_required');
    givenCreator(activating).when(request(2)).thenRefused('creator_rebinding_required');
  });

  it.each([
    ['enrolling', [byInvitation]],
    ['invited', invited],
    ['pending onboarding', pendingOnboarding],
    ['expired', [...invited, fact('invitationExpired', {})]],
    ['cancelled', [...invited, fact('invitationWithdrawn', { as: 'cancelled' })]],
    ['failed', [byInvitation, fact('invitationRefused', { code: 'invitation_rejected' })]],
  ])('D42: the second is the invitation: %s', (_status, past) => {
    givenCreator(past).when(request()).thenRefused('creator_invitation_pending');
  });

  it.each([
    ['an entitlement', { entitlement: { active: false, source: null } }],
    ['an authorization', { authorization: { approved: false, status: 'pending', expiresAt: null } }],
    ['onboarding', { onboardingComplete: false }],
  ])('D42: the third is eligibility: without %s', (_what, standing) => {
    for (const past of [linked, activating, pausedCreator]) {
      givenCreator([...past, standingObserved(standing)])
        .when(request())
        .thenRefused('creator_not_eligible');
    }
  });

  it('D40: an authorization ends by the clock', () => {
    const authorization = { approved: true, status: 'approved', expiresAt: '2026-03-01T00:00:00Z' };
    const past = [...linked, standingObserved({ authorization })];
    const end = Date.parse(authorization.expiresAt);
    givenCreator(past).when(request(), end).thenRefused('creator_not_eligible');
    givenCreator(past)
      .when(request(), end - 1)
      .then([activationRequested]);
  });

  it('D43: a creator that is missing is not eligible', () => {
    givenCreator([...linked, fact('memberNotFound', {})])
      .when(request())
      .thenRefused('creator_not_eligible');
  });

  it('a link whose identity has yet to be written may be activated', () => {
    givenCreator(linking).when(request()).then([activationRequested]);
  });
});

describe('an activation that nobody settles', () => {
  const past = [...linked.map((event) => at(0, event)), at(1_000, activationRequested)];

  it('D42: is abandoned after 30 seconds', () => {
    expect(ACTIVATION_TIMEOUT).toBe(30_000);
    expect(activationOpenUntil(creatorOf(past))).toBe(31_000);
    givenCreator(past).when(abandonOverdueActivation, 30_999).thenNothing();
    givenCreator(past)
      .when(abandonOverdueActivation, 31_000)
      .then([abandoned('unsettled')]);
  });

  it('is none once it is settled', () => {
    for (const settled of [[], linked, [...past, activated], [...past, abandoned('paused')]]) {
      givenCreator(settled).when(abandonOverdueActivation, 99_000).thenNothing();
    }
  });
});

describe('abandoning an activation', () => {
  const abandon = (reason: Parameters<typeof abandonActivation>[1]) => (state: CreatorState) =>
    abandonActivation(assertEnrolled(state), reason);

  it.each(['capacity_reached', 'unsettled', 'not_found'] as const)(
    'D42: %s: the slot is no longer wanted, and nothing was active',
    (reason) => {
      givenCreator(activating)
        .when(abandon(reason))
        .then([abandoned(reason)]);
      expect(creatorOf([...activating, at(9_000, abandoned(reason))])).toMatchObject({
        protection: { status: 'not_activated' },
        slot: { isWanted: false, isConfirmed: false, activation: null },
      });
    },
  );

  it.each([
    ['there is none', linked],
    ['it was confirmed', active],
    ['it was abandoned', [...activating, abandoned('unsettled')]],
  ])('adds nothing where %s', (_why, past) => {
    givenCreator(past).when(abandon('unsettled')).thenNothing();
  });

  it('D42: a paused creator stays paused when its reactivation is abandoned', () => {
    const creator = creatorOf([
      ...pausedCreator,
      requestedAgain,
      fact('activationAbandoned', { activationId: 'act-2', reason: 'unsettled' }),
    ]);
    expect(creator.protection).toEqual({ status: 'paused' });
  });
});

const pause = (state: CreatorState) => pauseProtection(assertEnrolled(state), 'api_request');

describe('pausing', () => {
  it.each(['api_request', 'creator_removed', 'membership_ended'] as const)(
    'D43: from active, because of %s',
    (reason) => {
      givenCreator(active)
        .when((state) => pauseProtection(assertEnrolled(state), reason))
        .then([fact('protectionPaused', { reason })]);
    },
  );

  it('D42: is recorded first; the slot is then to be released', () => {
    expect(creatorOf([...active, at(9_000, paused)])).toMatchObject({
      protection: { status: 'paused' },
      slot: { isWanted: false, isConfirmed: false },
    });
  });

  it.each([
    ['not activated', linked],
    ['paused', [...active, paused, slotReleased]],
    ['paused, its slot not yet released', [...active, paused]],
  ])('D41: from %s nothing changes', (_status, past) => {
    givenCreator(past).when(pause).thenNothing();
  });

  it('D41, D42: an open intent is abandoned, which is not shown anywhere', () => {
    givenCreator(activating)
      .when(pause)
      .then([abandoned('paused')]);
    expect(creatorOf([...activating, abandoned('paused')]).protection).toEqual({ status: 'not_activated' });
    givenCreator([...activating, abandoned('paused')])
      .when(pause)
      .thenNothing();
  });

  it('needs no eligibility', () => {
    givenCreator([...active, standingObserved({ entitlement: { active: false, source: 'none' } })])
      .when(pause)
      .then([paused]);
  });
});
