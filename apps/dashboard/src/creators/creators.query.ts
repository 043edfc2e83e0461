import { ENROLLMENT_STATUSES, PROTECTION_STATUSES } from '#creators';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional } from '../../../api/src/http/validation/rules.js';

export class CreatorsQuery extends PageQuery {
  @Optional()
  @OneOf(...ENROLLMENT_STATUSES)
  enrollment_status?: (typeof ENROLLMENT_STATUSES)[number];

  @Optional()
  @OneOf(...PROTECTION_STATUSES)
  protection_status?: (typeof PROTECTION_STATUSES)[number];
}
