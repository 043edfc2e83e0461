import { objectOf } from '../contract/schemas.js';
import type { AuthorizationStatus, EntitlementSource } from '../contract/types.js';
import { FLAG, NULLABLE_TEXT, oneOf } from './control.js';

const STATUSES: AuthorizationStatus[] = ['approved', 'pending', 'rejected', 'expired', 'missing'];
const SOURCES: EntitlementSource[] = ['agency_plan', 'creator_subscription', 'none'];

const status = oneOf(...STATUSES);
const source = oneOf(...SOURCES);

export const STANDING_MEMBERS = {
  eligible: FLAG,
  authorization: { anyOf: [status, objectOf({ approved: FLAG, status, expires_at: NULLABLE_TEXT }, ['approved'])] },
  entitlement: { anyOf: [source, objectOf({ active: FLAG, source }, ['active'])] },
};
