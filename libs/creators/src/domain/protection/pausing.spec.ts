import { describe, expect, it } from '@jest/globals';
import { at } from '#testing';
import {
  abandoned,
  activating,
  active,
  creatorOf,
  fact,
  linked,
  paused,
  slotReleased,
  standingObserved,
} from '../creator.fixtures.js';
import { assertEnrolled, type CreatorState } from '../creator.state.js';
import { givenCreator } from '../effects.fixtures.js';
import { pauseProtection } from './protection.js';

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
