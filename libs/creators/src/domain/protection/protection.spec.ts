import { describe, expect, it } from '@jest/globals';
import { at, given } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import {
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
  standingObserved,
} from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import type { CreatorState, EnrolledCreator } from '../creator.state.js';
import {
  ACTIVATION_TIMEOUT,
  abandonActivation,
  confirmActivation,
  mayReleaseSlot,
  openActivation,
  pauseProtection,
  recordSlotRelease,
  requestActivation,
} from './protection.js';

type Decision = (creator: EnrolledCreator, now: number) => CreatorEvent[];

const givenCreator = (past: readonly CreatorEvent[]) => ({
  when: (decide: Decision, now?: number) =>
    given(creatorDecider, past).when((state, instant) => decide(enrolled(state), instant), now),
});
const enrolled = (state: CreatorState): EnrolledCreator => {
  if (state.status === 'unknown') throw new Error('no creator');
  return state;
};

const request =
  (epoch = 1, activationId = 'act-1'): Decision =>
  (creator, now) =>
    requestActivation(creator, { activationId, epoch }, now);
const confirm =
  (activationId = 'act-1'): Decision =>
  (creator) =>
    confirmActivation(creator, activationId);
const pause: Decision = (creator) => pauseProtection(creator, 'api_request');

const abandoned = (reason: 'capacity_reached' | 'unsettled' | 'paused' | 'not_found') =>
  fact('activationAbandoned', { activationId: 'act-1', reason });
const slotReleased = fact('slotReleased', {});
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

  it('D42: an open intent is continued', () => {
    givenCreator(activating).when(request(1, 'act-2')).thenNothing();
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
    givenCreator([...linked, standingObserved(standing)])
      .when(request())
      .thenRefused('creator_not_eligible');
    givenCreator([...activating, standingObserved(standing)])
      .when(request())
      .thenRefused('creator_not_eligible');
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

describe('confirming an activation', () => {
  it('D42: the slot is held, and protection active from then on', () => {
    givenCreator(activating).when(confirm()).then([activated]);
    expect(creatorOf([...activating.map((event) => at(0, event)), at(8_000, activated)])).toMatchObject({
      protection: { status: 'active', since: 8_000 },
      slot: { status: 'held' },
    });
  });

  it('D41: a second confirmation adds nothing', () => {
    givenCreator(active).when(confirm()).thenNothing();
    givenCreator(active).when(confirm('act-2')).thenNothing();
  });

  it.each([
    ['was abandoned', [...activating, abandoned('unsettled')]],
    ['was given up by a pause', [...activating, abandoned('paused')]],
    ['was replaced by another', [...activating, abandoned('unsettled'), requestedAgain]],
    ['was confirmed, and protection paused since', [...active, paused]],
    ['was never asked for', linked],
  ])('D42: conflicts when the intent %s', (_how, past) => {
    givenCreator(past).when(confirm()).thenRefused('provider_timeout');
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

describe('pausing', () => {
  it.each(['api_request', 'creator_removed', 'membership_ended'] as const)(
    'D43: from active, because of %s',
    (reason) => {
      givenCreator(active)
        .when((creator) => pauseProtection(creator, reason))
        .then([fact('protectionPaused', { reason })]);
    },
  );

  it('D42: is recorded first; the slot is then to be released', () => {
    expect(creatorOf([...active, at(9_000, paused)])).toMatchObject({
      protection: { status: 'paused' },
      slot: { status: 'to_release', since: 9_000 },
    });
  });

  it.each([
    ['not activated', linked],
    ['paused', pausedCreator],
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
    givenCreator([...active, ineligible])
      .when(pause)
      .then([paused]);
  });
});

describe('releasing the slot', () => {
  const givenState = (past: readonly CreatorEvent[]) => given(creatorDecider, past);

  it.each<[string, readonly CreatorEvent[], boolean]>([
    ['unknown', [], false],
    ['not activated', linked, false],
    ['being activated', activating, false],
    ['active', active, false],
    ['paused', [...active, paused], true],
    ['paused and released', pausedCreator, false],
    ['abandoned', [...activating, abandoned('unsettled')], true],
    ['paused and being activated again', [...active, paused, requestedAgain], false],
  ])('D42: of a creator that is %s: %#', (_status, past, may) => {
    const state = past.length === 0 ? creatorDecider.initial : creatorOf(past);
    expect(mayReleaseSlot(state)).toBe(may);
    givenState(past)
      .when(recordSlotRelease)
      .then(may ? [slotReleased] : []);
  });

  it('D42: checks first that the creator is not active, in any state of the slot', () => {
    givenState([...active, abandoned('unsettled')])
      .when(recordSlotRelease)
      .thenNothing();
  });

  it('is recorded once', () => {
    givenState(pausedCreator).when(recordSlotRelease).thenNothing();
    expect(creatorOf(pausedCreator).slot).toEqual({ status: 'free' });
  });
});
