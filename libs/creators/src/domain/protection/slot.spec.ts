import { describe, expect, it } from '@jest/globals';
import { at, type Past } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import { abandoned, activated, activationRequested, creatorOf, fact, linked, paused } from '../creator.fixtures.js';
import { mayReleaseSlot, slotCallSettledBy } from './protection.js';

const CALL_TIME = 10_000;

const requested = at(1_000, activationRequested);
const repeated = at(6_000, activationRequested);
const missing = fact('memberNotFound', {});
const seenAgain = at(20_000, fact('slotReoccupationRequested', {}));

const creatorThat = (past: Past<CreatorEvent>) =>
  creatorOf([...linked.map((event): Past<CreatorEvent>[number] => at(0, event)), ...past]);

describe('a slot is not released while the platform may still apply a call that got no answer (D42)', () => {
  it.each<[string, Past<CreatorEvent>, number]>([
    ['whose outcome is unknown, and that was paused', [requested, abandoned('paused')], 11_000],
    ['that was repeated, and then paused', [requested, repeated, abandoned('paused')], 16_000],
    ['whose repeat was confirmed, and that was then paused', [requested, repeated, activated, paused], 11_000],
    ['whose repeat was refused', [requested, repeated, abandoned('capacity_reached')], 11_000],
    ['that ended because the member was not found', [requested, abandoned('not_found')], 11_000],
    [
      'that came after another one of unknown outcome',
      [requested, abandoned('paused'), repeated, activated, paused],
      11_000,
    ],
    [
      'that was occupying its slot again when it was paused',
      [requested, activated, missing, seenAgain, paused],
      30_000,
    ],
    ['that was missing again when it was paused', [requested, activated, missing, seenAgain, missing, paused], 30_000],
  ])('of an activation %s', (_how, past, settledBy) => {
    const creator = creatorThat(past);
    expect(slotCallSettledBy(creator, CALL_TIME)).toBe(settledBy);
    expect(mayReleaseSlot(creator, CALL_TIME, settledBy - 1)).toBe(false);
    expect(mayReleaseSlot(creator, CALL_TIME, settledBy)).toBe(true);
  });
});

describe('a slot is released immediately when all calls were answered (D42)', () => {
  it.each<[string, Past<CreatorEvent>]>([
    ['refused', [requested, abandoned('capacity_reached')]],
    ['confirmed, and then paused', [requested, activated, paused]],
    [
      'lost when it was asked for again',
      [requested, activated, missing, seenAgain, fact('protectionPaused', { reason: 'slot_lost' })],
    ],
    ['occupied again, and then paused', [requested, activated, missing, seenAgain, fact('slotReoccupied', {}), paused]],
  ])('%s', (_how, past) => {
    const creator = creatorThat(past);
    expect(slotCallSettledBy(creator, CALL_TIME)).toBeUndefined();
    expect(mayReleaseSlot(creator, CALL_TIME, 0)).toBe(true);
  });
});
