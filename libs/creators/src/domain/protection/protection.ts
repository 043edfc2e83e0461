import { isDeepStrictEqual } from 'node:util';
import {
  ageOf,
  type CallMade,
  DomainError,
  type Duration,
  type Effect,
  type Instant,
  isRefusedWith,
  MAX_CLOCK_SKEW,
  SECOND,
} from '#kernel';
import type { AbandonReason, CreatorEvent, ProtectionReason } from '../creator.events.js';
import {
  assertAccessible,
  type CreatorState,
  type EnrolledCreator,
  hasLeft,
  isEligible,
  isWithUser,
  requireWritable,
  type Slot,
  type WithUser,
} from '../creator.state.js';

/** How long an activation may be without an outcome before the worker abandons it (D42). */
export const ACTIVATION_TIMEOUT: Duration = 30 * SECOND;

/** The intent to activate, recorded before the slot is requested (D41, D42). An open intent is continued. */
export function requestActivation(
  creator: EnrolledCreator,
  { activationId, epoch }: { readonly activationId: string; readonly epoch: number },
  now: Instant,
): CreatorEvent[] {
  requireWritable(creator, epoch);
  if (creator.protection.status === 'active') return [];
  if (creator.userId === null) throw new DomainError('creator_invitation_pending');
  if (!isEligible(creator, now)) throw new DomainError('creator_not_eligible');
  if (creator.slot.activation !== null) return [];
  return [{ type: 'creator.activationRequested.v1', data: { activationId } }];
}

/** For the worker, if no process settles the activation any more (D42). */
export function abandonOverdueActivation(state: CreatorState, now: Instant): CreatorEvent[] {
  if (state.status !== 'known' || state.slot.activation === null) return [];
  const isOpen = ageOf(state.slot.activation.since, now, MAX_CLOCK_SKEW) < ACTIVATION_TIMEOUT;
  return isOpen ? [] : abandonActivation(state, 'unsettled');
}

/** When the worker abandons an activation that has no outcome yet; undefined if there is none. */
export const activationOpenUntil = (state: CreatorState): Instant | undefined =>
  state.status === 'known' && state.slot.activation !== null
    ? state.slot.activation.since + ACTIVATION_TIMEOUT
    : undefined;

/** Stops the schedule; in any state but active it changes nothing visible (D41). */
export function pauseProtection(creator: EnrolledCreator, reason: ProtectionReason): CreatorEvent[] {
  if (creator.protection.status === 'active') return [{ type: 'creator.protectionPaused.v1', data: { reason } }];
  return abandonActivation(creator, 'paused');
}

const MICROSECONDS = 1_000;

export const NO_SLOT: Slot = { isWanted: false, fence: 1, isConfirmed: true, activation: null };

/** One more than another fence, within the contract's limit for fences. */
export const fenceAbove = (fence: number): number => Math.min(fence + 1, Number.MAX_SAFE_INTEGER);

/** Derived from the event's time, so that events of older builds have one (D90); two in one millisecond differ by 1. */
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

/** The platform has not yet confirmed that the slot is in the wanted state. */
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

/** Records nothing if another change was recorded during the call: the platform keeps the one with the higher fence (D90). */
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
