import type { NativeInvitation } from '#creators';
import type { CreatorId } from '#kernel';
import { type Fields, fieldsOf, flag, identifier, integer, oneOf, orNull, same, text, userId } from '../fields.js';
import { parseOptional } from './page.js';

const invitationStatus = oneOf(['pending', 'accepted', 'onboarded', 'expired', 'cancelled', 'detached']);
const invitee = orNull(userId);

const invitationOf = (fields: Fields): NativeInvitation => {
  text(fields, 'reference');
  return {
    id: identifier(fields, 'id'),
    status: invitationStatus(fields, 'status'),
    userId: invitee(fields, 'user_id'),
    emailSent: flag(fields, 'email_sent'),
    expiresAt: integer(fields, 'expires_at'),
  };
};

export const parseInvitation =
  (asked: string) =>
  (body: unknown): NativeInvitation => {
    const invitation = invitationOf(fieldsOf(body));
    same('id', invitation.id, asked);
    return invitation;
  };

export const parseInvitationOf =
  (reference: CreatorId) =>
  (body: unknown): NativeInvitation => {
    const fields = fieldsOf(body);
    same('reference', text(fields, 'reference'), reference);
    return invitationOf(fields);
  };

export const parseFoundInvitation = (reference: CreatorId) => parseOptional(parseInvitationOf(reference));
