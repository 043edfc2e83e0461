import { DomainError, type Effect, isRefusedWith } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import type { CreatorState, EnrolledCreator } from '../creator.state.js';
import type { NativeInvitation } from '../native-records.js';
import { pauseProtection } from '../protection/protection.js';

/** The step on the platform that precedes the recording of a creator's removal (D38). */
export type Removal =
  /** It was removed before. */
  | { readonly step: 'none' }
  /** The platform has no invitation for it. */
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

/** The outcome of withdrawing the invitation; a refusal leaves it unchanged. */
export function recordWithdrawal(state: CreatorState, effect: Effect<NativeInvitation>): CreatorEvent[] {
  // D76: there is nothing left to withdraw.
  if (isRefusedWith(effect, 'not_found')) return removeCreator(state, 'cancelled');
  if (effect.outcome !== 'done') return [];
  const { status } = effect.value;
  if (status === 'cancelled' || status === 'detached') return removeCreator(state, status);
  throw new DomainError('provider_invalid_response', { cause: `withdrawn, and ${status}` });
}
