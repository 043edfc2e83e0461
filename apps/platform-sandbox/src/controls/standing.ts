import type { AuthorizationStatus, EntitlementSource } from '../contract/types.js';
import { FLAG, NULLABLE_TEXT, oneOf } from './control.js';

const STATUSES: AuthorizationStatus[] = ['approved', 'pending', 'rejected', 'expired', 'missing'];
const SOURCES: EntitlementSource[] = ['agency_plan', 'creator_subscription', 'none'];

export const STANDING_MEMBERS = {
  eligible: FLAG,
  authorization: {
    anyOf: [
      oneOf(...STATUSES),
      {
        type: 'object',
        additionalProperties: false,
        required: ['approved'],
        properties: { approved: FLAG, status: oneOf(...STATUSES), expires_at: NULLABLE_TEXT },
      },
    ],
  },
  entitlement: {
    anyOf: [
      oneOf(...SOURCES),
      {
        type: 'object',
        additionalProperties: false,
        required: ['active'],
        properties: { active: FLAG, source: oneOf(...SOURCES) },
      },
    ],
  },
};
