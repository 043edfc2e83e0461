import { DomainError, type Instant } from '#kernel';
import type { CreatorPlatform } from '../../application/ports.js';
import type { CreatorEvent } from '../creator.events.js';
import type { CreatorState, EnrolledCreator } from '../creator.state.js';

/** An active creator that was seen again, and whose slot must be occupied before it is shown (D77). */
export type Reappearing = EnrolledCreator & { readonly slot: { readonly status: 'reoccupying' } };

export const isReappearing = (state: CreatorState): state is Reappearing =>
  state.status === 'known' && state.slot.status === 'reoccupying';

/** The slot is occupied: the creator is shown again. An intent that is no longer open changes nothing. */
export function recordReoccupation(state: CreatorState, since: Instant): CreatorEvent[] {
  if (!isReappearing(state) || state.slot.since !== since) return [];
  return [
    { type: 'creator.slotReoccupied.v1', data: {} },
    { type: 'creator.memberFound.v1', data: {} },
  ];
}

/** The platform refused the slot, so protection pauses. `not_found` also means that the creator is no member. */
export function loseSlot(state: CreatorState, since: Instant, code: string): CreatorEvent[] {
  if (!isReappearing(state) || state.slot.since !== since) return [];
  const paused: CreatorEvent = { type: 'creator.protectionPaused.v1', data: { reason: 'slot_lost' } };
  return code === 'not_found' ? [paused] : [paused, { type: 'creator.memberFound.v1', data: {} }];
}

/** Calls the platform, and records the outcome. An unknown one is 503 or 504. Runs under the creator's lease. */
export const reoccupySlot = async <Recorded>(
  creator: Reappearing,
  platform: CreatorPlatform,
  decide: (decision: (state: CreatorState) => CreatorEvent[]) => Promise<Recorded>,
): Promise<Recorded> => {
  const { agencyId, userId, slot } = creator;
  if (userId === null) throw new DomainError('internal_error');
  const effect = await platform.occupySlot(agencyId, userId);
  switch (effect.outcome) {
    case 'done':
      return decide((state) => recordReoccupation(state, slot.since));
    case 'refused':
      return decide((state) => loseSlot(state, slot.since, effect.code));
    case 'unknown':
      throw effect.error.code === 'provider_invalid_response'
        ? new DomainError('provider_unavailable', { cause: effect.error })
        : effect.error;
  }
};
