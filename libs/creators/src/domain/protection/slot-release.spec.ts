import { describe, expect, it } from '@jest/globals';
import type { Effect } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import { abandoned, activating, active, creatorOf, fact, linked, paused, slotReleased } from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import type { CreatorState } from '../creator.state.js';
import { done, givenCreator, refused, unknown } from '../effects.fixtures.js';
import { isToRelease, mayReleaseSlot, recordSlotRelease } from './protection.js';

const requestedAgain = fact('activationRequested', { activationId: 'act-2' });
const pausedCreator = [...active, paused, slotReleased];

describe('releasing the slot', () => {
  const release =
    (effect: Effect<void>, isOvertaken = false) =>
    (state: CreatorState) =>
      recordSlotRelease(state, effect, { intended: state, isOvertaken }, false);
  const released = release(done(undefined));

  it.each<[string, boolean, readonly CreatorEvent[]]>([
    ['unknown', false, []],
    ['not activated', false, linked],
    ['being activated', false, activating],
    ['active', false, active],
    ['paused', true, [...active, paused]],
    ['paused and released', false, pausedCreator],
    ['abandoned', true, [...activating, abandoned('unsettled')]],
    ['paused and being activated again', false, [...active, paused, requestedAgain]],
  ])('D42: of a creator that is %s: %s', (_status, may, past) => {
    const state = past.length === 0 ? creatorDecider.initial : creatorOf(past);
    expect([isToRelease(state), mayReleaseSlot(state, 10_000, 10_000)]).toEqual([may, may]);
    givenCreator(past)
      .when(released)
      .then(may ? [slotReleased] : []);
  });

  it('D42: checks first that the creator is not active, in any state of the slot', () => {
    givenCreator([...active, abandoned('unsettled')])
      .when(released)
      .thenNothing();
  });

  it('D42: is as good as released where the creator is no member; any other failure is left to the worker', () => {
    givenCreator([...active, paused])
      .when(release(refused('not_found')))
      .then([slotReleased]);
    for (const effect of [refused('busy'), unknown]) {
      givenCreator([...active, paused])
        .when(release(effect))
        .thenNothing();
    }
  });

  it('D42: is left to the worker when something was recorded during the call: the slot may be occupied again', () => {
    givenCreator([...active, paused])
      .when(release(done(undefined), true))
      .thenNothing();
  });

  it('is recorded once', () => {
    givenCreator(pausedCreator).when(released).thenNothing();
    expect(creatorOf(pausedCreator).slot).toEqual({ status: 'free', lateReleasePossible: false });
  });
});
