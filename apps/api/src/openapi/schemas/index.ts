import type { JsonSchema } from '#http';
import { CREATOR_SCHEMAS } from './creators.js';
import { EVENT_SCHEMAS } from './events.js';
import {
  AGENCY_SCHEMAS,
  CASE_SCHEMAS,
  DEINDEX_SCHEMAS,
  ERROR_SCHEMAS,
  IMPERSONATION_SCHEMAS,
  SCAN_SCHEMAS,
  USAGE_SCHEMAS,
} from './resources.js';

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
