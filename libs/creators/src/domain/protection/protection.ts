import { DomainError, type Duration, type Instant, SECOND } from '#kernel';
import type { CreatorEvent, ProtectionReason } from '../creator.events.js';
import { type CreatorState, type EnrolledCreator, isEligible } from '../creator.state.js';
import { requireWritable } from '../enrollment/enrollment.js';

/** How long an activation may be without an outcome before the worker abandons it (D42). */
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
  if (state.status === 'unknown' || openActivation(state) !== activationId) return [];
  return [{ type: 'creator.activationAbandoned.v1', data: { activationId, reason } }];
}

/** Stops the schedule. From any state except active it changes nothing that is shown (D41). */
export function pauseProtection(creator: EnrolledCreator, reason: ProtectionReason): CreatorEvent[] {
  if (creator.protection.status === 'active') return [{ type: 'creator.protectionPaused.v1', data: { reason } }];
  const activationId = openActivation(creator);
  if (activationId === undefined) return [];
  return [{ type: 'creator.activationAbandoned.v1', data: { activationId, reason: 'paused' } }];
}

/** Whether the slot at the platform may be released now: never that of an active creator (D42). */
export const mayReleaseSlot = (state: CreatorState): state is EnrolledCreator =>
  state.status === 'known' && state.slot.status === 'to_release' && state.protection.status !== 'active';

export function recordSlotRelease(state: CreatorState): CreatorEvent[] {
  return mayReleaseSlot(state) ? [{ type: 'creator.slotReleased.v1', data: {} }] : [];
}

/** The activation whose outcome is not recorded yet. */
export const openActivation = ({ slot }: EnrolledCreator): string | undefined =>
  slot.status === 'requested' ? slot.activationId : undefined;
