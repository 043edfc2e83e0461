import { ageOf, DomainError, type Duration, type Instant, MAX_CLOCK_SKEW, SECOND } from '#kernel';
import type { CreatorEvent, ProtectionReason } from '../creator.events.js';
import { type CreatorState, type EnrolledCreator, isEligible, requireWritable } from '../creator.state.js';
import { abandonActivation } from './slot.js';

/** How long an activation may be without an outcome before the worker abandons it (D42). */
export const ACTIVATION_TIMEOUT: Duration = 30 * SECOND;

/** The intent to activate, recorded before the slot is requested (D41, D42). An open one is continued. */
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

/** For the worker, when no process settles the activation any more (D42). */
export function abandonOverdueActivation(state: CreatorState, now: Instant): CreatorEvent[] {
  if (state.status !== 'known' || state.slot.activation === null) return [];
  const isOpen = ageOf(state.slot.activation.since, now, MAX_CLOCK_SKEW) < ACTIVATION_TIMEOUT;
  return isOpen ? [] : abandonActivation(state, 'unsettled');
}

/** When the worker abandons the activation that has no outcome yet; undefined without one. */
export const activationOpenUntil = (state: CreatorState): Instant | undefined =>
  state.status === 'known' && state.slot.activation !== null
    ? state.slot.activation.since + ACTIVATION_TIMEOUT
    : undefined;

/** Stops the schedule; from any state but active it changes nothing that shows (D41). */
export function pauseProtection(creator: EnrolledCreator, reason: ProtectionReason): CreatorEvent[] {
  if (creator.protection.status === 'active') return [{ type: 'creator.protectionPaused.v1', data: { reason } }];
  return abandonActivation(creator, 'paused');
}
