import type { ActivityPage, NativeActivity } from '#cases';
import {
  type Fields,
  fieldsOf,
  identifier,
  integer,
  label,
  oneOf,
  optional,
  orNull,
  textOrNull,
  url,
} from '../fields.js';
import { nextCursorOf, recordsOf, requireProgress } from './page.js';

const type = oneOf(['leak.detected', 'leak.status', 'notice.sent', 'leak.removed']);
const basis = oneOf(['recorded', 'record_updated']);
const leakId = optional(orNull(identifier));
const urlOrNull = optional(textOrNull(url));
const labelOrNull = optional(textOrNull(label));
const activityId = (fields: Fields) => identifier(fields, 'id');

const parseActivity = (fields: Fields): NativeActivity => ({
  id: activityId(fields),
  type: type(fields, 'type'),
  occurredAt: integer(fields, 'occurred_at'),
  timestampBasis: basis(fields, 'timestamp_basis'),
  leakId: leakId(fields, 'leak_id'),
  url: urlOrNull(fields, 'url'),
  status: labelOrNull(fields, 'status'),
  statusCode: labelOrNull(fields, 'status_code'),
});

/** The order is the platform's. It is only checked that a page advances. */
export const parseActivityPage =
  ({ limit, cursor: asked }: { readonly limit: number; readonly cursor?: string }) =>
  (body: unknown): ActivityPage => {
    const fields = fieldsOf(body);
    const { records, refused } = recordsOf(fields, limit, activityId, parseActivity);
    const nextCursor = nextCursorOf(fields);
    requireProgress([], nextCursor, asked);
    return { records, refused, nextCursor };
  };
