import { type CreatorId, type Instant, renamedTypes } from '#kernel';

type Fact<Type extends string, Data extends object> = {
  readonly type: `invitationResend.${Type}.v1`;
  readonly data: Data;
};

export interface Resending {
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
