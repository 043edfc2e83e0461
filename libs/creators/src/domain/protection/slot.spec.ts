import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { at, type Past } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import {
  abandoned,
  activated,
  activationRequested,
  active,
  creatorOf,
  fact,
  linked,
  paused,
  slotReleased,
} from '../creator.fixtures.js';

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
