import { describe, expect, it } from '@jest/globals';
import type { Effect } from '#kernel';
import { at, type Past } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import { activated, activating, activationRequested, active, creatorOf, fact, paused } from '../creator.fixtures.js';
import type { CreatorState } from '../creator.state.js';
import { callFrom, done, givenCreator, refused, unknown } from '../effects.fixtures.js';
import { mayReleaseSlot, recordActivation, recordSlotRelease, slotCallSettledBy } from './protection.js';
import { isReappearing, isReoccupying, recordReoccupation } from './slot-reoccupation.js';

const CALL_TIME = 10_000;

const requested = fact('slotReoccupationRequested', {});
const reoccupied = fact('slotReoccupied', {});
const missing = fact('memberNotFound', {});
const shown = fact('memberFound', {});
const slotLost = fact('protectionPaused', { reason: 'slot_lost' });
const onlyRelease = fact('slotReleased', {});
const repeatedRelease = fact('slotReleased', { mayBeRepeat: true });

/** Paused at 1 s; no release was answered before what follows. */
const pausedThen = (...past: Past<CreatorEvent>): Past<CreatorEvent> => [
  ...active.map((event): Past<CreatorEvent>[number] => at(0, event)),
  at(1_000, paused),
  ...past,
];
/** Activated at 60 s, and the worker may occupy the slot again at 70 s. */
const activeAgain = pausedThen(at(60_000, activationRequested), activated, requested);

const confirm = (past: Past<CreatorEvent>) =>
  givenCreator(past).when((state) => recordActivation(state, done(undefined), callFrom(state)));
const reoccupy = (past: Past<CreatorEvent>, effect: Effect<void> = done(undefined)) =>
  givenCreator(past).when((state) => recordReoccupation(state, effect, callFrom(state)));
const release = (past: Past<CreatorEvent>, mayBeRepeat: boolean) =>
  givenCreator(past).when((state) => recordSlotRelease(state, done(undefined), callFrom(state), mayBeRepeat));

describe('an activation asks for its slot again if the platform may apply a release after it (D42)', () => {
  it.each<[string, Past<CreatorEvent>]>([
    ['that got no answer', pausedThen(activationRequested)],
    ['and its call was repeated', pausedThen(activationRequested, at(9_000, activationRequested))],
    ['of which another one was answered', pausedThen(repeatedRelease, activationRequested)],
    ['of the pause before', [...activeAgain, paused, onlyRelease, activationRequested]],
  ])('%s', (_how, past) => {
    confirm(past).then([activated, requested]);
  });

  it.each<[string, Past<CreatorEvent>]>([
    ['the only release was answered', pausedThen(onlyRelease, activationRequested)],
    ['its slot was occupied again since', [...activeAgain, reoccupied, paused, onlyRelease, activationRequested]],
    ['there was no release', activating],
  ])('and does not if %s', (_how, past) => {
    confirm(past).then([activated]);
  });

  it.each<[string, Past<CreatorEvent>, readonly CreatorEvent[]]>([
    ['is active by then', pausedThen(activationRequested, activated), [requested]],
    ['is missing by then', pausedThen(activationRequested, activated, missing), []],
    ['is still being activated', pausedThen(activationRequested), []],
    ['is paused still', pausedThen(fact('memberNotFound', {}), fact('memberFound', {})), []],
  ])('and so does a release that ends during or after the activation: the creator %s', (_state, past, recorded) => {
    const atCall = creatorOf(pausedThen());
    const endOf = (effect: Effect<void>) => (state: CreatorState) =>
      recordSlotRelease(state, effect, { intended: atCall, isOvertaken: true }, true);
    givenCreator(past)
      .when(endOf(done(undefined)))
      .then(recorded);
    givenCreator(past).when(endOf(unknown)).then(recorded);
    givenCreator(past)
      .when(endOf(refused('not_found')))
      .thenNothing();
  });

  it('says with each release whether an earlier one may have got no answer', () => {
    release(pausedThen(), false).then([onlyRelease]);
    release(pausedThen(), true).then([repeatedRelease]);
  });
});

describe('the slot of an active creator that a late release may free (D42)', () => {
  it('is to be occupied again when that release cannot be applied any more, and the creator stays shown', () => {
    const creator = creatorOf(activeAgain);
    expect([isReoccupying(creator), isReappearing(creator)]).toEqual([true, false]);
    expect(slotCallSettledBy(creator, CALL_TIME)).toBe(70_000);
  });

  it('is held after that, which announces nothing', () => {
    reoccupy(activeAgain).then([reoccupied]);
  });

  it('stays to be occupied while the outcome is unknown', () => {
    reoccupy(activeAgain, unknown).thenNothing();
  });

  it('is lost if another creator has it by then: protection pauses', () => {
    reoccupy(activeAgain, refused('capacity_reached')).then([slotLost]);
  });

  it('D43: where the creator is no member, that hides it', () => {
    reoccupy(activeAgain, refused('not_found')).then([missing]);
    expect(creatorOf([...activeAgain, missing])).toMatchObject({
      membership: { status: 'missing' },
      protection: { status: 'active' },
      slot: { status: 'held' },
    });
  });

  it('D77: is occupied once more after the creator was missing in the meantime', () => {
    reoccupy([...activeAgain, missing, requested]).then([reoccupied, shown, requested]);
    reoccupy([...activeAgain, missing, requested, reoccupied, shown, requested]).then([reoccupied]);
  });
});

describe('a pause in the meantime (D42)', () => {
  it.each<[string, number, number]>([
    ['releases the slot immediately before the worker may have called', 69_999, 69_999],
    ['waits for the call that the worker may have made just before', 70_000, 80_000],
    ['waits for the last of them, however often the worker has called', 95_000, 105_000],
  ])('%s', (_what, pausedAt, releasedFrom) => {
    const creator = creatorOf([...activeAgain, at(pausedAt, paused)]);
    expect(mayReleaseSlot(creator, CALL_TIME, releasedFrom - 1)).toBe(pausedAt > releasedFrom - 1);
    expect(mayReleaseSlot(creator, CALL_TIME, releasedFrom)).toBe(true);
  });
});
