import { describe, expect, it } from '@jest/globals';
import type { Effect } from '#kernel';
import { at } from '#testing';
import { active, creatorOf, fact, linked } from '../creator.fixtures.js';
import { callFrom, done, givenCreator, refused, unknown } from '../effects.fixtures.js';
import { isReappearing, recordReoccupation } from './slot-reoccupation.js';

const reappearing = [...active, fact('memberNotFound', {}), at(7_000, fact('slotReoccupationRequested', {}))];
const intended = creatorOf(reappearing);
const slotLost = fact('protectionPaused', { reason: 'slot_lost' });
const shown = fact('memberFound', {});

const record = (effect: Effect<void>) => (state: Parameters<typeof recordReoccupation>[0]) =>
  recordReoccupation(state, effect, callFrom(intended));

describe('the slot of an active creator that is seen again (D77)', () => {
  it('is to be occupied only while that is asked for', () => {
    expect([reappearing, active, linked].map((past) => isReappearing(creatorOf(past)))).toEqual([true, false, false]);
    expect(isReappearing({ status: 'unknown' })).toBe(false);
  });

  it('is held from then on, and the creator shown', () => {
    givenCreator(reappearing)
      .when(record(done(undefined)))
      .then([fact('slotReoccupied', {}), shown]);
  });

  it('that the platform refuses is lost: protection pauses, and the creator is shown', () => {
    givenCreator(reappearing)
      .when(record(refused('capacity_reached')))
      .then([slotLost, shown]);
  });

  it('that the platform refuses because it is no member is lost, and the creator stays hidden', () => {
    givenCreator(reappearing)
      .when(record(refused('not_found')))
      .then([slotLost]);
  });

  it('stays to be occupied while the outcome is unknown', () => {
    givenCreator(reappearing).when(record(unknown)).thenNothing();
  });

  it.each([
    ['is settled', [...reappearing, fact('slotReoccupied', {}), shown]],
    ['ended because the creator is missing again', [...reappearing, fact('memberNotFound', {})]],
    [
      'was replaced by a later one',
      [...reappearing, fact('memberNotFound', {}), at(8_000, fact('slotReoccupationRequested', {}))],
    ],
  ])('adds nothing where the intent %s', (_how, past) => {
    for (const effect of [done(undefined), refused('capacity_reached')]) {
      givenCreator(past).when(record(effect)).thenNothing();
    }
  });
});
