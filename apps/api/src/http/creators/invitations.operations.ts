import type { OperationOptions } from '../transport/operation.js';
import { INVITED_CREATOR } from './creators.examples.js';

export const REMOVE_CREATOR: OperationOptions = {
  tag: 'Creators',
  summary: 'Cancels a pending invitation, or detaches a creator that accepted it and is not onboarded.',
  description: `Pauses protection where it is active. The record stays readable and its \`external_id\` stays taken. An onboarded creator is
\`creator_onboarding_completed\`. A repeat answers the same.`,
  apiVersion: '0.8.0',
  scopes: ['creators:write'],
  answers: {
    200: {
      description: 'The creator after its removal.',
      schema: 'Creator',
      example: { ...INVITED_CREATOR, enrollment_status: 'cancelled' },
    },
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_onboarding_completed',
    // It takes no body (D8), but a body is read before the request is refused (D1).
    'payload_too_large',
    'unsupported_media_type',
  ],
  id: 'creator',
};

export const RESEND_INVITATION: OperationOptions = {
  tag: 'Creators',
  summary: 'Sends a pending or expired invitation again; the old link is invalid from then on.',
  description: `The first resend may follow the invitation immediately; further ones at most once a minute and five times in 24 hours. A repeat
under the same key sends nothing. \`email_sent\` says whether the email provider accepted the message; do not send a series of new keys where that is
uncertain.`,
  apiVersion: '0.8.0',
  scopes: ['creators:write'],
  answers: {
    200: {
      description: 'The creator after the message was sent.',
      schema: 'Creator',
      example: { ...INVITED_CREATOR, email_sent: true },
    },
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_onboarding_completed',
    'capacity_reached',
    'idempotency_conflict',
  ],
  id: 'creator',
  needsIdempotencyKey: true,
  examples: { 'nothing else is said': {} },
};
