import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional } from '../../../api/src/http/validation/rules.js';

export const ENROLLMENT_STATUSES = [
  'enrolling',
  'invited',
  'pending_onboarding',
  'linked',
  'failed',
  'uncertain',
  'expired',
  'cancelled',
  'detached',
] as const;
export const PROTECTION_STATUSES = ['not_activated', 'active', 'paused'] as const;

export class CreatorsQuery extends PageQuery {
  @Optional()
  @OneOf(...ENROLLMENT_STATUSES)
  enrollment_status?: (typeof ENROLLMENT_STATUSES)[number];

  @Optional()
  @OneOf(...PROTECTION_STATUSES)
  protection_status?: (typeof PROTECTION_STATUSES)[number];
}
