import type { Operations } from './operation.js';
import { agencyOperations } from './platform/agencies.js';
import { billingOperations } from './platform/billing.js';
import { creatorOperations } from './platform/creators.js';
import { deindexOperations } from './platform/deindex-submissions.js';
import { impersonationOperations } from './platform/impersonations.js';
import { invitationOperations } from './platform/invitations.js';
import { leakOperations } from './platform/leaks.js';
import { scanJobOperations } from './platform/scan-jobs.js';

export const operations: Operations = {
  ...agencyOperations,
  ...billingOperations,
  ...creatorOperations,
  ...invitationOperations,
  ...leakOperations,
  ...impersonationOperations,
  ...scanJobOperations,
  ...deindexOperations,
};
