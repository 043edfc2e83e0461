import {
  type AgencyId,
  type CreatorId,
  type Decider,
  DomainError,
  derivedUuid,
  type Effect,
  type Instant,
  renamedTypes,
  unknownEvent,
} from '#kernel';
import type { NativeInvitation } from '../native-records.js';

type Fact<Type extends string, Data extends object> = {
  readonly type: `invitationResend.${Type}.v1`;
  readonly data: Data;
};

interface Resending {
  readonly creatorId: CreatorId;
  readonly invitationId: string;
}

export type InvitationResendEvent =
  | Fact<'requested', Resending>
  /** The answer was lost: the mail may or may not have been sent. */
  | Fact<'outcomeLost', Pick<Resending, 'creatorId'>>
  | Fact<'refused', Pick<Resending, 'creatorId'> & { code: string }>
  | Fact<'sent', Pick<Resending, 'creatorId'> & { emailSent: boolean; expiresAt: Instant }>;

/** Logs of builds up to 0.8 have the types on the left. */
export const invitationResendUpcasters = renamedTypes<InvitationResendEvent['type']>({
  'invitationResend.done.v1': 'invitationResend.sent.v1',
  'invitationResend.unknown.v1': 'invitationResend.outcomeLost.v1',
});

/** The resend under one key. A refusal does not use up the key (D45), and the state is empty again. */
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

/** Derived from agency and key; it is also the platform's key: repeated requests send one mail (D39). */
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
