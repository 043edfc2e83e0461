import { isDeepStrictEqual } from 'node:util';
import { type CallMade, type Effect, isRefusedWith } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import { assertAccessible, type CreatorState, hasLeft, isWithUser, type WithUser } from '../creator.state.js';
import { abandonActivation, fenceAbove, isReappearing } from './slot.js';

/** Nothing where something else was recorded during the call: the platform keeps what has the higher fence (D90). */
export function recordSlotCall(
  state: CreatorState,
  effect: Effect<void>,
  { intended }: CallMade<CreatorState>,
): CreatorEvent[] {
  if (!isWithUser(state) || !isWithUser(intended) || !isDeepStrictEqual(state.slot, intended.slot)) return [];
  if (effect.outcome === 'unknown') return [];
  if (isRefusedWith(effect, 'stale_fence')) return raiseFence(state, effect);
  if (state.slot.activation !== null) return recordActivation(state, state.slot.activation.id, effect);
  return state.slot.isWanted ? recordOccupation(state, effect) : recordRelease(state, effect);
}

type Answer = Exclude<Effect<void>, { readonly outcome: 'unknown' }>;

/** The log is older than the platform: a backup was restored. */
function raiseFence({ slot }: WithUser, { outcome, fence = 0 }: Answer & { readonly fence?: number }): CreatorEvent[] {
  if (outcome !== 'refused' || fence <= slot.fence) return [];
  return [{ type: 'creator.slotFenceRaised.v1', data: { fence: fenceAbove(fence) } }];
}

function recordActivation(state: WithUser, activationId: string, answer: Answer): CreatorEvent[] {
  if (answer.outcome === 'refused') {
    const isKnown = answer.code === 'capacity_reached' || answer.code === 'not_found';
    return abandonActivation(state, isKnown ? answer.code : 'unsettled');
  }
  assertAccessible(state);
  return [{ type: 'creator.protectionActivated.v1', data: { activationId, reason: 'api_request' } }];
}

/** The slot of an active creator, occupied again: seen again (D77), or missing on the platform's list (D90). */
function recordOccupation(state: WithUser, answer: Answer): CreatorEvent[] {
  const isHidden: boolean = isReappearing(state);
  if (!isHidden && state.membership.status !== 'current') return [];
  if (answer.outcome === 'done') {
    if (state.slot.isConfirmed) return [];
    return isHidden ? [REOCCUPIED, SHOWN] : [REOCCUPIED];
  }
  // D43: the first 404 of a member hides it, and pauses nothing.
  if (answer.code === 'not_found') return [isHidden ? SLOT_LOST : HIDDEN];
  return isHidden ? [SLOT_LOST, SHOWN] : [SLOT_LOST];
}

/** A 404 settles nothing while the creator may be a member: it may be wrong, and the slot still occupied (D90). */
function recordRelease(state: WithUser, answer: Answer): CreatorEvent[] {
  if (state.slot.isConfirmed) return [];
  const isReleased = answer.outcome === 'done' || (answer.code === 'not_found' && hasLeft(state));
  return isReleased ? [RELEASED] : [];
}

const RELEASED: CreatorEvent = { type: 'creator.slotReleased.v1', data: {} };
const REOCCUPIED: CreatorEvent = { type: 'creator.slotReoccupied.v1', data: {} };
const SLOT_LOST: CreatorEvent = { type: 'creator.protectionPaused.v1', data: { reason: 'slot_lost' } };
const SHOWN: CreatorEvent = { type: 'creator.memberFound.v1', data: {} };
const HIDDEN: CreatorEvent = { type: 'creator.memberNotFound.v1', data: {} };
