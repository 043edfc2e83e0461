import type { LeakPage, NativeLeak } from '#cases';
import { type Fields, fieldsOf, flag, identifier, integer, label, oneOf, orNull, url } from '../fields.js';
import { nextCursorOf, recordsOf, requireProgress } from './page.js';

const statusCode = oneOf(['detected', 'reviewing', 'notice_sent', 'removed', 'rejected', 'ignored']);
const flagOrNull = orNull(flag);
const identifierOrNull = orNull(identifier);
const leakId = (fields: Fields) => identifier(fields, 'leak_id');

const parseLeak = (fields: Fields): NativeLeak => ({
  leakId: leakId(fields),
  url: url(fields, 'url'),
  status: label(fields, 'status'),
  statusCode: statusCode(fields, 'status_code'),
  actionable: flagOrNull(fields, 'actionable'),
  deadOnArrival: flagOrNull(fields, 'dead_on_arrival'),
  createdAt: integer(fields, 'created_at'),
  updatedAt: integer(fields, 'updated_at'),
  jobId: identifierOrNull(fields, 'job_id'),
});

/** The order of leak ids is the platform's collation and is not checked. It is only checked that a page advances. */
export const parseLeakPage =
  ({ limit, after }: { readonly limit: number; readonly after?: string }) =>
  (body: unknown): LeakPage => {
    const fields = fieldsOf(body);
    const { records, refused, ids } = recordsOf(fields, limit, leakId, parseLeak);
    const nextCursor = nextCursorOf(fields);
    requireProgress(ids, nextCursor, after);
    return { leaks: records, refused, nextCursor };
  };
