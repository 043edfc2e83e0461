import type { JsonSchema } from '#http';
import { AGENCY_SCHEMAS } from './agencies.js';
import { CASE_SCHEMAS } from './cases.js';
import { CREATOR_SCHEMAS } from './creators.js';
import { DEINDEX_SCHEMAS } from './deindexing.js';
import { ERROR_SCHEMAS } from './errors.js';
import { EVENT_SCHEMAS } from './events.js';
import { IMPERSONATION_SCHEMAS } from './impersonations.js';
import { SCAN_SCHEMAS } from './scans.js';
import { USAGE_SCHEMAS } from './usage.js';

/** `components.schemas`: the shapes of the responses and of the events. Those of the bodies come from their classes. */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...AGENCY_SCHEMAS,
  ...CREATOR_SCHEMAS,
  ...SCAN_SCHEMAS,
  ...CASE_SCHEMAS,
  ...DEINDEX_SCHEMAS,
  ...IMPERSONATION_SCHEMAS,
  ...USAGE_SCHEMAS,
  ...EVENT_SCHEMAS,
  ...ERROR_SCHEMAS,
};
