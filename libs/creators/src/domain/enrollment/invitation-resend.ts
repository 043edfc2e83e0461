import {
  type AgencyId,
  type CreatorId,
  type Decider,
  DomainError,
  derivedUuid,
  type Effect,
  unknownEvent,
} from '#kernel';
import type { NativeInvitation } from '../native-invitation.js';
import type { InvitationResendEvent, Resending } from './invitation-resend.events.js';

/** The resend under one key. A refusal does not use the key up (D45), and the state is empty again. */
export type InvitationResend =
  | { readonly status: 'none' }
  | (Resending & { readonly status: 'open'; readonly isOutcomeUnknown: boolean })
  | { readonly status: 'done'; readonly creatorId: CreatorId; readonly emailSent: boolean };

export const invitationResendDecider: Decider<InvitationResend, InvitationResendEvent> = {
  category: 'invitationResend',
  initial: { status: 'none' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'invitationResend.requested.v1':
        return { ...event.data, status: 'open', isOutcomeUnknown: false };
      case 'invitationResend.outcomeLost.v1':
        return state.status === 'open' ? { ...state, isOutcomeUnknown: true } : state;
      case 'invitationResend.refused.v1':
        return { status: 'none' };
      case 'invitationResend.sent.v1': {
        const { creatorId, emailSent } = event.data;
        return { status: 'done', creatorId, emailSent };
      }
      default:
        return unknownEvent(event, state);
    }
  },
};

/** Derives from agency and key, and is the platform's key: repeated requests send one mail (D39). */
export const invitationResendIdOf = (agencyId: AgencyId, idempotencyKey: string): string =>
  derivedUuid('invitationResend', agencyId, idempotencyKey);

/** The key belongs to one creator; for another one it is `idempotency_conflict`. */
export function requireSameResend(state: InvitationResend, creatorId: CreatorId): void {
  if (state.status !== 'none' && state.creatorId !== creatorId) throw new DomainError('idempotency_conflict');
}

/** The intent, recorded before anything is sent; nothing for a repeat. */
export function requestResend(state: InvitationResend, resending: Resending): InvitationResendEvent[] {
  requireSameResend(state, resending.creatorId);
  return state.status === 'none' ? [{ type: 'invitationResend.requested.v1', data: resending }] : [];
}

/** The outcome of sending; done also if another attempt under the same key was refused during the call. */
export function recordResend(
  state: InvitationResend,
  creatorId: CreatorId,
  effect: Effect<Pick<NativeInvitation, 'emailSent' | 'expiresAt'>>,
): InvitationResendEvent[] {
  if (effect.outcome === 'done') {
    const { emailSent, expiresAt } = effect.value;
    const data = { creatorId, emailSent, expiresAt };
    return state.status === 'done' ? [] : [{ type: 'invitationResend.sent.v1', data }];
  }
  if (state.status !== 'open') return [];
  const of = { creatorId: state.creatorId };
  if (effect.outcome === 'refused') {
    return [{ type: 'invitationResend.refused.v1', data: { ...of, code: effect.code } }];
  }
  return state.isOutcomeUnknown ? [] : [{ type: 'invitationResend.outcomeLost.v1', data: of }];
}
