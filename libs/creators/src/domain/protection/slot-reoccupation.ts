import type { CallMade, Effect, UserId } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import type { CreatorState, EnrolledCreator } from '../creator.state.js';

/** An active creator whose slot is to be occupied again. */
export type Reoccupying = EnrolledCreator & {
  readonly userId: UserId;
  readonly slot: { readonly status: 'reoccupying' };
};

export const isReoccupying = (state: CreatorState): state is Reoccupying =>
  state.status === 'known' && state.userId !== null && state.slot.status === 'reoccupying';

/** One that was missing and is seen again: it is shown when its slot is occupied (D77). Any other stays shown. */
export const isReappearing = (state: CreatorState): state is Reoccupying =>
  isReoccupying(state) && state.membership.status === 'missing';

/**
 * The outcome of occupying the slot again; an unknown one leaves the intent open. An intent that is no longer open changes
 * nothing.
 */
export function recordReoccupation(
  state: CreatorState,
  effect: Effect<void>,
  { intended }: CallMade<CreatorState>,
): CreatorEvent[] {
  if (!isReoccupying(state) || !isReoccupying(intended) || state.slot.since !== intended.slot.since) return [];
  const isHidden = isReappearing(state);
  switch (effect.outcome) {
    case 'done':
      if (!isHidden) return [REOCCUPIED];
      return [REOCCUPIED, SHOWN, ...(state.slot.lateReleasePossible ? [REOCCUPATION_REQUESTED] : [])];
    case 'refused':
      // D43: the first 404 of a member hides it, and pauses nothing.
      if (effect.code === 'not_found') return [isHidden ? SLOT_LOST : HIDDEN];
      return isHidden ? [SLOT_LOST, SHOWN] : [SLOT_LOST];
    case 'unknown':
      return [];
  }
}

/** The worker occupies the slot once more, when the platform cannot apply an earlier release any more (D42). */
export const REOCCUPATION_REQUESTED: CreatorEvent = { type: 'creator.slotReoccupationRequested.v1', data: {} };
const REOCCUPIED: CreatorEvent = { type: 'creator.slotReoccupied.v1', data: {} };
const SLOT_LOST: CreatorEvent = { type: 'creator.protectionPaused.v1', data: { reason: 'slot_lost' } };
const SHOWN: CreatorEvent = { type: 'creator.memberFound.v1', data: {} };
const HIDDEN: CreatorEvent = { type: 'creator.memberNotFound.v1', data: {} };
