import type { LeakPage, NativeLeak } from '#cases';
import { fieldsOf, flag, identifier, integer, listOf, Mismatch, oneOf, orNull, text } from '../fields.js';

const statusCode = oneOf(['detected', 'reviewing', 'notice_sent', 'removed', 'rejected', 'ignored']);
const flagOrNull = orNull(flag);
const identifierOrNull = orNull(identifier);

const parseLeak = (value: unknown): NativeLeak => {
  const fields = fieldsOf(value);
  return {
    leakId: identifier(fields, 'leak_id'),
    url: text(fields, 'url'),
    status: text(fields, 'status'),
    statusCode: statusCode(fields, 'status_code'),
    actionable: flagOrNull(fields, 'actionable'),
    deadOnArrival: flagOrNull(fields, 'dead_on_arrival'),
    createdAt: integer(fields, 'created_at'),
    updatedAt: integer(fields, 'updated_at'),
    jobId: identifierOrNull(fields, 'job_id'),
  };
};

const leaks = listOf(parseLeak);

/** The order of leak ids is the platform's collation and is not checked; that a page leads on is. */
export const parseLeakPage =
  ({ limit, after }: { readonly limit: number; readonly after?: string }) =>
  (body: unknown): LeakPage => {
    const fields = fieldsOf(body);
    const page: LeakPage = { leaks: leaks(fields, 'data'), nextCursor: identifierOrNull(fields, 'next_cursor') };
    if (page.leaks.length > limit) throw new Mismatch('data is longer than the limit');
    const ids = new Set(page.leaks.map(({ leakId }) => leakId));
    if (ids.size !== page.leaks.length) throw new Mismatch('data names a leak_id twice');
    if (after !== undefined && (ids.has(after) || page.nextCursor === after)) {
      throw new Mismatch('the page does not lead on');
    }
    return page;
  };
