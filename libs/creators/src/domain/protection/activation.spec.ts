import { describe, expect, it } from '@jest/globals';
import type { Effect } from '#kernel';
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
import { callFrom, done, givenCreator, refused, unknown } from '../effects.fixtures.js';
import {
  ACTIVATION_TIMEOUT,
  abandonActivation,
  abandonOverdueActivation,
  isToRelease,
  mayReleaseSlot,
  openActivation,
  recordActivation,
  requestActivation,
  slotCallSettledBy,
} from './protection.js';

const request =
  (epoch = 1, activationId = 'act-1') =>
  (state: CreatorState, now: number) =>
    requestActivation(assertEnrolled(state), { activationId, epoch }, now);
const recordOutcome =
  (effect: Effect<void>, calledFrom = activating) =>
  (state: CreatorState) =>
    recordActivation(state, effect, callFrom(creatorOf(calledFrom)));

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
      slot: { status: 'requested', activationId: 'act-1', since: 7_000 },
    });
    expect(openActivation(creator)).toBe('act-1');
  });

  it('D42: an open intent is continued, and the worker leaves the call of the repeat alone as long as the first', () => {
    givenCreator(activating).when(request(1, 'act-2'), 1).then([activationRequested]);
    givenCreator(activating).when(request(1, 'act-2'), 0).thenNothing();
    const repeated = creatorOf([...linked, at(1_000, activationRequested), at(29_000, activationRequested)]);
    expect(abandonOverdueActivation(repeated, 10_000, 58_999)).toEqual([]);
    expect(abandonOverdueActivation(repeated, 10_000, 59_000)).toEqual([abandoned('unsettled')]);
  });

  it('D41: while active nothing is re-checked, and nothing recorded', () => {
    givenCreator(active).when(request()).thenNothing();
    givenCreator([...active, ineligible])
      .when(request())
      .thenNothing();
    givenCreator(active).when(request(2)).thenNothing();
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
    ['a mandate', { authorization: { approved: false, status: 'pending', expiresAt: null } }],
    ['onboarding', { onboardingComplete: false }],
  ])('D42: the third is eligibility: without %s', (_what, standing) => {
    for (const past of [linked, activating, pausedCreator]) {
      givenCreator([...past, standingObserved(standing)])
        .when(request())
        .thenRefused('creator_not_eligible');
    }
  });

  it('D40: a mandate ends by the clock', () => {
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

describe('the outcome of asking for the slot', () => {
  it('D42: occupied, the slot is held, and protection active from then on', () => {
    givenCreator(activating)
      .when(recordOutcome(done(undefined)))
      .then([activated]);
    expect(creatorOf([...activating.map((event) => at(0, event)), at(8_000, activated)])).toMatchObject({
      protection: { status: 'active', since: 8_000 },
      slot: { status: 'held' },
    });
  });

  it('D41: a second confirmation adds nothing', () => {
    for (const effect of [done(undefined), unknown]) givenCreator(active).when(recordOutcome(effect)).thenNothing();
  });

  it.each([
    ['was abandoned', [...activating, abandoned('unsettled')]],
    ['was given up by a pause', [...activating, abandoned('paused')]],
    ['was abandoned, and the slot released', [...activating, abandoned('unsettled'), slotReleased]],
    ['was confirmed, and protection paused since', [...active, paused]],
  ])('D42: of an intent that %s: it may have occupied the slot, which is then to be released', (_how, past) => {
    for (const effect of [done(undefined), unknown]) {
      givenCreator(past)
        .when(recordOutcome(effect))
        .then([abandoned('unsettled')]);
    }
    givenCreator(past)
      .when(recordOutcome(refused('busy')))
      .thenNothing();
    const late = creatorOf([...past, at(50_000, abandoned('unsettled'))]);
    expect([isToRelease(late), mayReleaseSlot(late, 10_000, 59_999)]).toEqual([true, false]);
    expect(mayReleaseSlot(late, 10_000, 60_000)).toBe(true);
  });

  it('D42: of an intent that was replaced by another one decides nothing', () => {
    for (const effect of [done(undefined), unknown]) {
      givenCreator([...activating, abandoned('unsettled'), requestedAgain])
        .when(recordOutcome(effect))
        .thenNothing();
    }
  });

  it('D43: of a creator that is missing since is confirmed to nobody', () => {
    givenCreator([...activating, fact('memberNotFound', {})])
      .when(recordOutcome(done(undefined)))
      .thenRefused('not_found');
  });

  it.each([
    ['capacity_reached', 'capacity_reached'],
    ['not_found', 'not_found'],
    ['busy', 'unsettled'],
  ] as const)('D42: refused with %s, it abandons that activation as %s', (code, reason) => {
    givenCreator(activating)
      .when(recordOutcome(refused(code)))
      .then([abandoned(reason)]);
    givenCreator([...activating, abandoned('paused'), requestedAgain])
      .when(recordOutcome(refused(code)))
      .thenNothing();
  });

  it('D42: unknown, it leaves the intent open', () => {
    givenCreator(activating).when(recordOutcome(unknown)).thenNothing();
  });

  it('is nothing where no activation was asked for', () => {
    givenCreator(activating)
      .when(recordOutcome(done(undefined), linked))
      .thenNothing();
  });
});

describe('an activation that nobody settles', () => {
  const past = [...linked.map((event) => at(0, event)), at(1_000, activationRequested)];
  const abandon = (callTime: number) => (state: CreatorState, now: number) =>
    abandonOverdueActivation(state, callTime, now);

  it('D42: is abandoned after 30 seconds, and not while its call may be under way', () => {
    givenCreator(past).when(abandon(10_000), 30_999).thenNothing();
    givenCreator(past)
      .when(abandon(10_000), 31_000)
      .then([abandoned('unsettled')]);
    givenCreator(past).when(abandon(40_000), 40_999).thenNothing();
    givenCreator(past)
      .when(abandon(40_000), 41_000)
      .then([abandoned('unsettled')]);
  });

  it('is none once it is settled', () => {
    for (const settled of [[], linked, [...past, activated], [...past, abandoned('paused')]]) {
      givenCreator(settled).when(abandon(0), 99_000).thenNothing();
    }
  });

  it('no call is under way for a slot that is held or free', () => {
    for (const settled of [linked, active, pausedCreator]) {
      expect(slotCallSettledBy(creatorOf(settled), 10_000)).toBeUndefined();
    }
    expect(slotCallSettledBy({ status: 'unknown' }, 10_000)).toBeUndefined();
    const reoccupying = [...active, fact('memberNotFound', {}), at(5_000, fact('slotReoccupationRequested', {}))];
    expect(slotCallSettledBy(creatorOf(reoccupying), 10_000)).toBe(15_000);
  });
});

describe('abandoning an activation', () => {
  it.each(['capacity_reached', 'unsettled', 'not_found'] as const)(
    'D42: %s: the slot is to be released, and nothing was active',
    (reason) => {
      givenCreator(activating)
        .when((creator) => abandonActivation(creator, 'act-1', reason))
        .then([abandoned(reason)]);
      expect(creatorOf([...activating, at(9_000, abandoned(reason))])).toMatchObject({
        protection: { status: 'not_activated' },
        slot: { status: 'to_release', since: 9_000 },
      });
    },
  );

  it.each([
    ['there is none', linked],
    ['it was confirmed', active],
    ['it was abandoned', [...activating, abandoned('unsettled')]],
    ['another is open', [...activating, abandoned('unsettled'), requestedAgain]],
  ])('adds nothing where %s', (_why, past) => {
    givenCreator(past)
      .when((creator) => abandonActivation(creator, 'act-1', 'unsettled'))
      .thenNothing();
  });

  it('an unknown creator has none', () => {
    expect(abandonActivation({ status: 'unknown' }, 'act-1', 'unsettled')).toEqual([]);
  });

  it('D42: an intent that is not settled is abandoned after 30 seconds', () => {
    expect(ACTIVATION_TIMEOUT).toBe(30_000);
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
