import { DomainError, type Effect, isRefusedWith } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import type { CreatorState, EnrolledCreator } from '../creator.state.js';
import type { NativeInvitation } from '../native-invitation.js';
import { pauseProtection } from '../protection/protection.js';

/** What has to be done at the platform before the removal of a creator can be recorded (D38). */
export type Removal =
  /** It was removed before. */
  | { readonly step: 'none' }
  /** The platform has no invitation of it. */
  | { readonly step: 'record' }
  | { readonly step: 'withdraw'; readonly invitationId: string }
  /** It is unknown whether an invitation was sent. */
  | { readonly step: 'look_up' };

/** A creator that is linked, imported or onboarded cannot be removed. */
export function planRemoval({ userId, enrollment, invitationId }: EnrolledCreator): Removal {
  if (userId !== null) throw new DomainError('creator_onboarding_completed');
  const { status } = enrollment;
  if (status === 'cancelled' || status === 'detached') return { step: 'none' };
  if (status === 'failed') return { step: 'record' };
  return invitationId === null ? { step: 'look_up' } : { step: 'withdraw', invitationId };
}

/** The record remains readable; the schedule stops (D38). */
export function removeCreator(state: CreatorState, as: 'cancelled' | 'detached'): CreatorEvent[] {
  if (state.status === 'unknown' || state.userId !== null) return [];
  const { status } = state.enrollment;
  if (status === 'cancelled' || status === 'detached') return [];
  return [...pauseProtection(state, 'creator_removed'), { type: 'creator.invitationWithdrawn.v1', data: { as } }];
}

/** The outcome of withdrawing the invitation, which a refusal leaves as it was. */
export function recordWithdrawal(state: CreatorState, effect: Effect<NativeInvitation>): CreatorEvent[] {
  // D76: there is nothing left that could be withdrawn.
  if (isRefusedWith(effect, 'not_found')) return removeCreator(state, 'cancelled');
  if (effect.outcome !== 'done') return [];
  const { status } = effect.value;
  if (status === 'cancelled' || status === 'detached') return removeCreator(state, status);
  throw new DomainError('provider_invalid_response', { cause: `withdrawn, and ${status}` });
}
