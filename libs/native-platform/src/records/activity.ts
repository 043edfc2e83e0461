import type { ActivityPage, NativeActivity } from '#cases';
import { fieldsOf, identifier, integer, listOf, Mismatch, oneOf, optional, orNull, text } from '../fields.js';

/** Sealed and in a query, a longer one might be more than a header holds. */
const MAX_CURSOR_BYTES = 4_096;

const type = oneOf(['leak.detected', 'leak.status', 'notice.sent', 'leak.removed']);
const basis = oneOf(['recorded', 'record_updated']);
const cursor = orNull(identifier);
const textOrNull = optional(orNull(text));

const parseActivity = (value: unknown): NativeActivity => {
  const fields = fieldsOf(value);
  return {
    id: identifier(fields, 'id'),
    type: type(fields, 'type'),
    occurredAt: integer(fields, 'occurred_at'),
    timestampBasis: basis(fields, 'timestamp_basis'),
    leakId: textOrNull(fields, 'leak_id'),
    url: textOrNull(fields, 'url'),
    status: textOrNull(fields, 'status'),
    statusCode: textOrNull(fields, 'status_code'),
  };
};

const records = listOf(parseActivity);

/** The order is the platform's; that a page leads on is checked. */
export const parseActivityPage =
  ({ limit, cursor: asked }: { readonly limit: number; readonly cursor?: string }) =>
  (body: unknown): ActivityPage => {
    const fields = fieldsOf(body);
    const page: ActivityPage = { records: records(fields, 'data'), nextCursor: cursor(fields, 'next_cursor') };
    if (page.records.length > limit) throw new Mismatch('data is longer than the limit');
    if (Buffer.byteLength(page.nextCursor ?? '') > MAX_CURSOR_BYTES) throw new Mismatch('next_cursor is too long');
    if (asked !== undefined && page.nextCursor === asked) throw new Mismatch('the page does not lead on');
    return page;
  };
