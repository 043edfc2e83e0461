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
import { REOCCUPATION_REQUESTED } from './slot-reoccupation.js';

/** How long an activation may be without an outcome before the worker abandons it (D42). */
export const ACTIVATION_TIMEOUT: Duration = 30 * SECOND;

/** The platform may apply a call for as long again as we have waited for its answer. */
export const slotCallTime = (providerTimeout: Duration): Duration => 2 * providerTimeout;

/**
 * The intent to activate, recorded before the slot is requested (D41, D42). An open one is continued: that is recorded too,
 * so that the worker sees when the latest call began.
 */
export function requestActivation(
  creator: EnrolledCreator,
  { activationId, epoch }: { readonly activationId: string; readonly epoch: number },
  now: Instant,
): CreatorEvent[] {
  if (creator.protection.status === 'active') return [];
  requireWritable(creator, epoch);
  if (creator.userId === null) throw new DomainError('creator_invitation_pending');
  if (!isEligible(creator, now)) throw new DomainError('creator_not_eligible');
  if (creator.slot.status !== 'requested') return [{ type: 'creator.activationRequested.v1', data: { activationId } }];
  if (now <= creator.slot.since) return [];
  return [{ type: 'creator.activationRequested.v1', data: { activationId: creator.slot.activationId } }];
}

/** The outcome of asking for the slot. While it is unknown the intent stays open, for the same request or the worker (D42). */
export function recordActivation(
  state: CreatorState,
  effect: Effect<void>,
  { intended }: CallMade<CreatorState>,
): CreatorEvent[] {
  const activationId = openActivation(intended);
  if (activationId === undefined) return [];
  if (openActivation(state) !== activationId) {
    return effect.outcome === 'refused' ? [] : releaseLateOccupation(state, activationId);
  }
  switch (effect.outcome) {
    case 'done': {
      const { slot } = assertAccessible(state);
      const mayLoseSlot = slot.status === 'requested' && slot.lateReleasePossible;
      const activated: CreatorEvent = {
        type: 'creator.protectionActivated.v1',
        data: { activationId, reason: 'api_request' },
      };
      return mayLoseSlot ? [activated, REOCCUPATION_REQUESTED] : [activated];
    }
    case 'refused':
      return abandonActivation(state, activationId, abandonReason(effect.code));
    case 'unknown':
      return [];
  }
}

const abandonReason = (code: string) => (code === 'capacity_reached' || code === 'not_found' ? code : 'unsettled');

/** The intent was abandoned during the call, and the slot may have been released before the platform occupied it. */
function releaseLateOccupation(state: CreatorState, activationId: string): CreatorEvent[] {
  if (state.status === 'unknown' || state.protection.status === 'active') return [];
  // Of an intent that is open by now, the slot is needed; its own outcome decides.
  if (state.slot.status !== 'free' && state.slot.status !== 'to_release') return [];
  return [{ type: 'creator.activationAbandoned.v1', data: { activationId, reason: 'unsettled' } }];
}

export function abandonActivation(
  state: CreatorState,
  activationId: string,
  reason: 'capacity_reached' | 'unsettled' | 'not_found',
): CreatorEvent[] {
  if (openActivation(state) !== activationId) return [];
  return [{ type: 'creator.activationAbandoned.v1', data: { activationId, reason } }];
}

/** For the worker, when no process settles the activation any more and its call has ended (D42). */
export function abandonOverdueActivation(state: CreatorState, callTime: Duration, now: Instant): CreatorEvent[] {
  const activationId = openActivation(state);
  const settledBy = slotCallSettledBy(state, callTime);
  if (activationId === undefined || settledBy === undefined || now < settledBy) return [];
  return abandonActivation(state, activationId, 'unsettled');
}

/**
 * When the calls that occupy the slot and were begun have their outcome, or are given up, at the latest; undefined without
 * such a call.
 */
export const slotCallSettledBy = (state: CreatorState, callTime: Duration): Instant | undefined => {
  if (state.status === 'unknown') return undefined;
  const { slot } = state;
  switch (slot.status) {
    case 'requested':
      return slot.since + Math.max(ACTIVATION_TIMEOUT, callTime);
    case 'reoccupying':
      return slot.since + callTime;
    case 'to_release': {
      const { since, unansweredSince, reoccupyingSince } = slot;
      // The worker may have called in that time, the last time just before the pause.
      if (reoccupyingSince !== null && since >= reoccupyingSince + callTime) return since + callTime;
      return unansweredSince === null ? undefined : unansweredSince + callTime;
    }
    default:
      return undefined;
  }
};

/** Stops the schedule; from any state but active it changes nothing that shows (D41). */
export function pauseProtection(creator: EnrolledCreator, reason: ProtectionReason): CreatorEvent[] {
  if (creator.protection.status === 'active') return [{ type: 'creator.protectionPaused.v1', data: { reason } }];
  const activationId = openActivation(creator);
  if (activationId === undefined) return [];
  return [{ type: 'creator.activationAbandoned.v1', data: { activationId, reason: 'paused' } }];
}

type Releasing = EnrolledCreator & { readonly userId: UserId };

/** Whether the slot at the platform has to be given back: never that of an active creator (D42). */
export const isToRelease = (state: CreatorState): state is Releasing =>
  state.status === 'known' &&
  state.userId !== null &&
  state.slot.status === 'to_release' &&
  state.protection.status !== 'active';

/** The same now. A call without an answer could occupy the slot after the release; the worker releases it after that. */
export const mayReleaseSlot = (state: CreatorState, callTime: Duration, now: Instant): state is Releasing =>
  isToRelease(state) && now >= (slotCallSettledBy(state, callTime) ?? now);

/**
 * A creator that is no member holds no slot of this agency. A release that failed is left to the worker, and so is one
 * during which something was recorded: it may be that the slot was occupied later. If protection is active by then, the
 * release may have come after that, so the slot is occupied again.
 */
export function recordSlotRelease(
  state: CreatorState,
  effect: Effect<void>,
  { isOvertaken }: CallMade<CreatorState>,
  mayBeRepeat: boolean,
): CreatorEvent[] {
  if (isOvertaken) return effect.outcome !== 'refused' && needsItsSlot(state) ? [REOCCUPATION_REQUESTED] : [];
  const isReleased = effect.outcome === 'done' || isRefusedWith(effect, 'not_found');
  if (!isReleased || !isToRelease(state)) return [];
  return [{ type: 'creator.slotReleased.v1', data: mayBeRepeat ? { mayBeRepeat } : {} }];
}

const needsItsSlot = (state: CreatorState): boolean =>
  state.status === 'known' && state.protection.status === 'active' && state.membership.status === 'current';

/** The activation whose outcome is not yet recorded. */
export const openActivation = (state: CreatorState): string | undefined =>
  state.status === 'known' && state.slot.status === 'requested' ? state.slot.activationId : undefined;
