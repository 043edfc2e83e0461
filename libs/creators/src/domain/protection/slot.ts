import type { Instant } from '#kernel';
import type { AbandonReason, CreatorEvent } from '../creator.events.js';
import { type CreatorState, type EnrolledCreator, isWithUser, type Slot, type WithUser } from '../creator.state.js';

const MICROSECONDS = 1_000;

export const NO_SLOT: Slot = { isWanted: false, fence: 1, isConfirmed: true, activation: null };

/** One more than another fence, as far as the contract has fences. */
export const fenceAbove = (fence: number): number => Math.min(fence + 1, Number.MAX_SAFE_INTEGER);

/** It follows from the event's time, so that events of older builds have one (D90); two in one millisecond differ by 1. */
export const fenceAt = (last: number, at: Instant): number =>
  Math.min(Math.max(fenceAbove(last), at * MICROSECONDS), Number.MAX_SAFE_INTEGER);

export const slotWanted = (slot: Slot, at: Instant, activationId?: string): Slot => ({
  isWanted: true,
  fence: fenceAt(slot.fence, at),
  isConfirmed: false,
  activation: activationId === undefined ? null : { id: activationId, since: at },
});

export const slotUnwanted = (slot: Slot, at: Instant): Slot => ({
  isWanted: false,
  fence: fenceAt(slot.fence, at),
  isConfirmed: false,
  activation: null,
});

export const slotConfirmed = (slot: Slot): Slot => ({ ...slot, isConfirmed: true, activation: null });

/** A missing creator needs no slot until it is seen again. An open activation and a release go on. */
export const slotOfMissing = (slot: Slot): Slot =>
  slot.isWanted && slot.activation === null ? slotConfirmed(slot) : slot;

/** The platform has not yet answered that the slot is as it is wanted. */
export const isUnconfirmed = (state: CreatorState): state is WithUser => isWithUser(state) && !state.slot.isConfirmed;

export const isToRelease = (state: CreatorState): state is WithUser => isUnconfirmed(state) && !state.slot.isWanted;

/** Active, was missing, and is seen again: it is shown when its slot is occupied (D77). */
export const isReappearing = (state: CreatorState): state is WithUser =>
  isUnconfirmed(state) &&
  state.slot.isWanted &&
  state.slot.activation === null &&
  state.membership.status === 'missing';

/** Ends an activation that has no outcome yet; its slot is then released. */
export function abandonActivation({ slot }: EnrolledCreator, reason: AbandonReason): CreatorEvent[] {
  if (slot.activation === null) return [];
  return [{ type: 'creator.activationAbandoned.v1', data: { activationId: slot.activation.id, reason } }];
}
