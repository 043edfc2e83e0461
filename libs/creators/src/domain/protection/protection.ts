import {
  type CallMade,
  DomainError,
  type Duration,
  type Effect,
  type Instant,
  isRefusedWith,
  SECOND,
  type UserId,
} from '#kernel';
import type { CreatorEvent, ProtectionReason } from '../creator.events.js';
import { assertAccessible, type CreatorState, type EnrolledCreator, isEligible } from '../creator.state.js';
import { requireWritable } from '../enrollment/enrollment.js';

/** How long an activation may stay unsettled before the worker abandons it (D42). */
export const ACTIVATION_TIMEOUT: Duration = 30 * SECOND;

/** The intent to activate, recorded before the slot is requested; an open one is continued (D41, D42). */
export function requestActivation(
  creator: EnrolledCreator,
  { activationId, epoch }: { readonly activationId: string; readonly epoch: number },
  now: Instant,
): CreatorEvent[] {
  if (creator.protection.status === 'active') return [];
  requireWritable(creator, epoch);
  if (creator.userId === null) throw new DomainError('creator_invitation_pending');
  if (!isEligible(creator, now)) throw new DomainError('creator_not_eligible');
  if (creator.slot.status === 'requested') return [];
  return [{ type: 'creator.activationRequested.v1', data: { activationId } }];
}

/** The outcome of asking for the slot. While it is unknown the intent stays open, for the same request or the worker (D42). */
export function recordActivation(
  state: CreatorState,
  effect: Effect<void>,
  { intended }: CallMade<CreatorState>,
): CreatorEvent[] {
  const activationId = openActivation(intended);
  if (activationId === undefined || effect.outcome === 'unknown') return [];
  if (effect.outcome === 'done') return confirmActivation(assertAccessible(state), activationId);
  return abandonActivation(state, activationId, abandonReason(effect.code));
}

const abandonReason = (code: string) => (code === 'capacity_reached' || code === 'not_found' ? code : 'unsettled');

/** The slot is occupied. An intent that was abandoned during the call cannot be activated any more. */
export function confirmActivation(creator: EnrolledCreator, activationId: string): CreatorEvent[] {
  if (creator.protection.status === 'active') return [];
  if (openActivation(creator) !== activationId) throw new DomainError('provider_timeout');
  return [{ type: 'creator.protectionActivated.v1', data: { activationId, reason: 'api_request' } }];
}

export function abandonActivation(
  state: CreatorState,
  activationId: string,
  reason: 'capacity_reached' | 'unsettled' | 'not_found',
): CreatorEvent[] {
  if (openActivation(state) !== activationId) return [];
  return [{ type: 'creator.activationAbandoned.v1', data: { activationId, reason } }];
}

/** The worker's part: nobody settles the activation any more, and its call has ended (D42). */
export function abandonOverdueActivation(state: CreatorState, callTime: Duration, now: Instant): CreatorEvent[] {
  const activationId = openActivation(state);
  const settledBy = slotCallSettledBy(state, callTime);
  if (activationId === undefined || settledBy === undefined || now < settledBy) return [];
  return abandonActivation(state, activationId, 'unsettled');
}

/** When the slot's call that was begun has its outcome, or is given up, at the latest; undefined without such a call. */
export const slotCallSettledBy = (state: CreatorState, callTime: Duration): Instant | undefined => {
  if (state.status === 'unknown') return undefined;
  const { slot } = state;
  if (slot.status === 'requested') return slot.since + Math.max(ACTIVATION_TIMEOUT, callTime);
  return slot.status === 'reoccupying' ? slot.since + callTime : undefined;
};

/** Stops the schedule; from any state but active it changes nothing that shows (D41). */
export function pauseProtection(creator: EnrolledCreator, reason: ProtectionReason): CreatorEvent[] {
  if (creator.protection.status === 'active') return [{ type: 'creator.protectionPaused.v1', data: { reason } }];
  const activationId = openActivation(creator);
  if (activationId === undefined) return [];
  return [{ type: 'creator.activationAbandoned.v1', data: { activationId, reason: 'paused' } }];
}

/** Whether the slot at the platform may be given back now: never that of an active creator (D42). */
export const mayReleaseSlot = (state: CreatorState): state is EnrolledCreator & { readonly userId: UserId } =>
  state.status === 'known' &&
  state.userId !== null &&
  state.slot.status === 'to_release' &&
  state.protection.status !== 'active';

/** A creator that is no member holds no slot of this agency. A release that failed is left to the worker. */
export function recordSlotRelease(state: CreatorState, effect: Effect<void>): CreatorEvent[] {
  const isReleased = effect.outcome === 'done' || isRefusedWith(effect, 'not_found');
  return isReleased && mayReleaseSlot(state) ? [{ type: 'creator.slotReleased.v1', data: {} }] : [];
}

/** The activation whose outcome is not yet recorded. */
export const openActivation = (state: CreatorState): string | undefined =>
  state.status === 'known' && state.slot.status === 'requested' ? state.slot.activationId : undefined;
