import type { CallMade, Effect, UserId } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import type { CreatorState, EnrolledCreator } from '../creator.state.js';

/** A creator that was seen again while it is active, and whose slot has yet to be occupied before it is shown (D77). */
export type Reappearing = EnrolledCreator & {
  readonly userId: UserId;
  readonly slot: { readonly status: 'reoccupying' };
};

export const isReappearing = (state: CreatorState): state is Reappearing =>
  state.status === 'known' && state.userId !== null && state.slot.status === 'reoccupying';

/**
 * The outcome of occupying the slot again; an unknown one leaves the intent open. An intent that is no longer open changes
 * nothing.
 */
export function recordReoccupation(
  state: CreatorState,
  effect: Effect<void>,
  { intended }: CallMade<CreatorState>,
): CreatorEvent[] {
  if (!isReappearing(state) || !isReappearing(intended) || state.slot.since !== intended.slot.since) return [];
  switch (effect.outcome) {
    case 'done':
      return [{ type: 'creator.slotReoccupied.v1', data: {} }, SHOWN];
    case 'refused':
      return loseSlot(effect.code);
    case 'unknown':
      return [];
  }
}

const SHOWN: CreatorEvent = { type: 'creator.memberFound.v1', data: {} };

/** The platform refused the slot: protection pauses. `not_found` says too that the creator is no member, as before. */
const loseSlot = (code: string): CreatorEvent[] => {
  const paused: CreatorEvent = { type: 'creator.protectionPaused.v1', data: { reason: 'slot_lost' } };
  return code === 'not_found' ? [paused] : [paused, SHOWN];
};
