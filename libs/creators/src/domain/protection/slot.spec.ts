import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Effect } from '#kernel';
import { at, type Past } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import {
  abandoned,
  activated,
  activating,
  activationRequested,
  active,
  byInvitation,
  creatorOf,
  fact,
  linked,
  paused,
  slotReleased,
} from '../creator.fixtures.js';
import type { CreatorState } from '../creator.state.js';
import { callFrom, done, givenCreator, refused, unknown } from '../effects.fixtures.js';
import { isReappearing, isToRelease, isUnconfirmed, recordSlotCall } from './protection.js';

const AT = 1_780_000_000_000;
const slotAfter = (...past: Past<CreatorEvent>) =>
  creatorOf([...linked.map((event): Past<CreatorEvent>[number] => at(0, event)), ...past]).slot;

describe('the fence of a slot (D90)', () => {
  it('is the lowest where a slot was never wanted', () => {
    expect(slotAfter()).toEqual({ isWanted: false, fence: 1, isConfirmed: true, activation: null });
  });

  it('is the time of the change in microseconds', () => {
    expect(slotAfter(at(AT, activationRequested)).fence).toBe(AT * 1_000);
    expect(slotAfter(at(AT, activationRequested), at(AT, activated), at(AT + 5, paused)).fence).toBe((AT + 5) * 1_000);
  });

  it('is one more than the last one where the clock has not moved', () => {
    const changes = [activationRequested, abandoned('paused'), activationRequested, activated, paused];
    expect(slotAfter(...changes.map((event) => at(AT, event))).fence).toBe(AT * 1_000 + 3);
  });

  it('is one more than the last one where the platform has seen a fence of the future', () => {
    const raised = fact('slotFenceRaised', { fence: AT * 2_000 });
    expect(slotAfter(at(AT, activationRequested), at(AT, raised), at(AT + 1, abandoned('paused'))).fence).toBe(
      AT * 2_000 + 1,
    );
  });

  it('never leaves the contract', () => {
    const raised = fact('slotFenceRaised', { fence: Number.MAX_SAFE_INTEGER });
    expect(slotAfter(at(AT, raised), at(AT, activationRequested)).fence).toBe(Number.MAX_SAFE_INTEGER);
    expect(slotAfter(at(8.64e15, activationRequested)).fence).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    ['an answer', active, [fact('slotReoccupied', {})]],
    ['an answer to a release', [...active, paused], [slotReleased]],
    ['a creator that is missing', active, [fact('memberNotFound', {})]],
    ['the activation itself', [...linked, activationRequested], [activated]],
  ])('is not raised by %s', (_what, past, events) => {
    expect(creatorOf([...past, ...events.map((event) => at(AT, event))]).slot.fence).toBe(creatorOf(past).slot.fence);
  });

  it('grows with each change of what is wanted, at any times', () => {
    const change = fc.constantFrom<CreatorEvent>(activationRequested, abandoned('unsettled'), paused);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: AT }), change), { maxLength: 20 }), (changes) => {
        let last = 1;
        changes.forEach((_, index) => {
          const { fence } = slotAfter(...changes.slice(0, index + 1).map(([time, event]) => at(time, event)));
          expect(fence).toBeGreaterThan(last);
          last = fence;
        });
      }),
    );
  });
});

it('a missing creator needs no slot; an open activation and a release go on', () => {
  const missing = fact('memberNotFound', {});
  const seenAgain = fact('slotReoccupationRequested', {});
  expect(slotAfter(activationRequested, activated, missing, seenAgain)).toMatchObject({ isConfirmed: false });
  expect(slotAfter(activationRequested, activated, missing, seenAgain, missing)).toMatchObject({ isConfirmed: true });
  expect(slotAfter(activationRequested, missing)).toMatchObject({ isConfirmed: false, activation: { id: 'act-1' } });
  expect(slotAfter(activationRequested, activated, paused, missing)).toMatchObject({ isConfirmed: false });
});

const missing = fact('memberNotFound', {});
const shown = fact('memberFound', {});
const ended = fact('membershipEnded', {});
const reoccupied = fact('slotReoccupied', {});
const slotLost = fact('protectionPaused', { reason: 'slot_lost' });
const reappearing = [...active, missing, at(7_000, fact('slotReoccupationRequested', {}))];
const toRelease = [...active, paused];

const answered = (effect: Effect<void>, calledFrom?: Past<CreatorEvent>) => (state: CreatorState) =>
  recordSlotCall(state, effect, callFrom(calledFrom === undefined ? state : creatorOf(calledFrom)));
const occupied = answered(done(undefined));

describe('what is called', () => {
  it.each<[string, Past<CreatorEvent>, [boolean, boolean, boolean]]>([
    ['is not activated', linked, [false, false, false]],
    ['has no user', [byInvitation], [false, false, false]],
    ['is being activated', activating, [true, false, false]],
    ['is active', active, [false, false, false]],
    ['is missing', [...active, missing], [false, false, false]],
    ['is seen again', reappearing, [true, false, true]],
    ['is paused', toRelease, [true, true, false]],
    ['is paused, and its slot released', [...toRelease, slotReleased], [false, false, false]],
    ['was abandoned', [...activating, abandoned('unsettled')], [true, true, false]],
    ['is activated again before its release', [...toRelease, activationRequested], [true, false, false]],
  ])('for a creator that %s', (_how, past, expected) => {
    const state = creatorOf(past);
    expect([isUnconfirmed(state), isToRelease(state), isReappearing(state)]).toEqual(expected);
  });
});

describe('the answer for an activation (D42)', () => {
  it('activates if the slot is occupied', () => {
    givenCreator(activating).when(occupied).then([activated]);
    expect(creatorOf([...activating, at(8_000, activated)])).toMatchObject({
      protection: { status: 'active', since: 8_000 },
      slot: { isWanted: true, isConfirmed: true, activation: null },
    });
  });

  it.each([
    ['capacity_reached', 'capacity_reached'],
    ['not_found', 'not_found'],
    ['busy', 'unsettled'],
  ] as const)('abandons it where the slot is refused with %s', (code, reason) => {
    givenCreator(activating)
      .when(answered(refused(code)))
      .then([abandoned(reason)]);
  });

  it('is confirmed to nobody where the creator is missing since (D43)', () => {
    givenCreator([...activating, missing])
      .when(answered(done(undefined), activating))
      .thenRefused('not_found');
  });

  it('leaves it open while it is unknown', () => {
    givenCreator(activating).when(answered(unknown)).thenNothing();
  });
});

describe('the answer for an active creator', () => {
  it('shows one that was missing when its slot is occupied (D77)', () => {
    givenCreator(reappearing).when(occupied).then([reoccupied, shown]);
  });

  it('pauses one whose slot is refused, and shows it (D77)', () => {
    givenCreator(reappearing)
      .when(answered(refused('capacity_reached')))
      .then([slotLost, shown]);
    givenCreator(reappearing)
      .when(answered(refused('not_found')))
      .then([slotLost]);
  });

  it('changes nothing where its slot was confirmed before, as when the list is compared (D90)', () => {
    for (const past of [active, [...active, missing]]) givenCreator(past).when(occupied).thenNothing();
  });

  it('pauses it where the slot is lost (D90), and hides it where it is no member (D43)', () => {
    givenCreator(active)
      .when(answered(refused('capacity_reached')))
      .then([slotLost]);
    givenCreator(active)
      .when(answered(refused('not_found')))
      .then([missing]);
    givenCreator([...active, missing])
      .when(answered(refused('not_found')))
      .thenNothing();
  });
});

describe('the answer for a release', () => {
  it('confirms it, once', () => {
    givenCreator(toRelease)
      .when(answered(done(undefined)))
      .then([slotReleased]);
    givenCreator([...toRelease, slotReleased])
      .when(answered(done(undefined)))
      .thenNothing();
    expect(creatorOf([...toRelease, slotReleased]).slot).toMatchObject({ isWanted: false, isConfirmed: true });
  });

  it.each<[string, Effect<void>]>([
    ['refused', refused('busy')],
    ['unknown', unknown],
    ['404, which may be wrong', refused('not_found')],
  ])('leaves it to the worker where it is %s', (_how, effect) => {
    for (const past of [toRelease, [...toRelease, missing]]) givenCreator(past).when(answered(effect)).thenNothing();
  });

  it('is a release by 404 where the membership has ended', () => {
    givenCreator([...toRelease, missing, ended])
      .when(answered(refused('not_found')))
      .then([slotReleased]);
  });
});

describe('an answer that another change or answer has overtaken (D90)', () => {
  it.each<[string, Past<CreatorEvent>, Past<CreatorEvent>]>([
    ['abandoned since', activating, [abandoned('unsettled')]],
    ['abandoned and released since', activating, [abandoned('unsettled'), slotReleased]],
    ['activated by the same call of another request', activating, [activated]],
    ['paused since', activating, [activated, paused]],
    [
      'abandoned and requested again',
      activating,
      [abandoned('paused'), fact('activationRequested', { activationId: 'a2' })],
    ],
    ['activated again since', toRelease, [activationRequested, activated]],
    ['shown since', reappearing, [reoccupied, shown]],
    ['missing again', reappearing, [missing]],
    ['missing and seen once more', reappearing, [missing, at(8_000, fact('slotReoccupationRequested', {}))]],
  ])('changes nothing: %s', (_how, calledFrom, since) => {
    for (const effect of [done(undefined), refused('capacity_reached'), refused('not_found'), unknown]) {
      givenCreator([...calledFrom, ...since])
        .when(answered(effect, calledFrom))
        .thenNothing();
    }
  });
});

describe('a stale fence (D90)', () => {
  const stale = (fence?: number) =>
    answered({ ...refused('stale_fence'), ...(fence !== undefined && { fence }) } as const);

  it.each([activating, reappearing, toRelease, active])('that is higher than ours is recorded', (...past) => {
    givenCreator(past)
      .when(stale(5_000_000_000))
      .then([fact('slotFenceRaised', { fence: 5_000_000_001 })]);
    expect(creatorOf([...past, fact('slotFenceRaised', { fence: 5_000_000_001 })]).slot).toEqual({
      ...creatorOf(past).slot,
      fence: 5_000_000_001,
    });
  });

  it('that is not higher, or is not said, changes nothing', () => {
    const { fence } = creatorOf(activating).slot;
    for (const highest of [undefined, 1, fence]) givenCreator(activating).when(stale(highest)).thenNothing();
  });

  it('at the end of the contract is reached, not passed', () => {
    givenCreator(activating)
      .when(stale(Number.MAX_SAFE_INTEGER))
      .then([fact('slotFenceRaised', { fence: Number.MAX_SAFE_INTEGER })]);
  });
});
