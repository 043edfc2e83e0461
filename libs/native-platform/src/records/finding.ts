import type { z } from 'zod';
import type { ActivityPage, LeakPage } from '#cases';
import type { ImpersonationPage, NativeImpersonation } from '#impersonations';
import {
  flag,
  identifier,
  integer,
  isUsableText,
  label,
  MAX_NAME_LENGTH,
  MAX_URL_LENGTH,
  mapped,
  oneOf,
  type Reader,
  read,
  record,
  text,
  textOrNull,
  url,
} from '../schemas.js';
import { nextCursorOf, recordsOf, requireProgress } from './page.js';

interface PageRequest {
  readonly limit: number;
  readonly after?: string;
}

/** The order of ids is the platform's collation, so only the advance of a page is checked. */
const pageOf = <Value>(body: unknown, { limit, after }: PageRequest, idName: string, reader: Reader<Value>) => {
  const { records, refused, ids } = recordsOf(body, limit, { record: reader, idName, id: identifier });
  const nextCursor = nextCursorOf(body);
  requireProgress(ids, nextCursor, after);
  return { records, refused, nextCursor };
};

const leak = record({
  leak_id: identifier,
  url,
  status: label,
  status_code: oneOf(['detected', 'reviewing', 'notice_sent', 'removed', 'rejected', 'ignored']),
  actionable: flag.nullable(),
  dead_on_arrival: flag.nullable(),
  created_at: integer,
  updated_at: integer,
  job_id: identifier.nullable(),
});

export const parseLeakPage =
  (request: PageRequest) =>
  (body: unknown): LeakPage => {
    const { records, ...page } = pageOf(body, request, 'leak_id', leak);
    return { leaks: records, ...page };
  };

/** Neither private notes nor contacts are read. */
const impersonationWith = (itsUrl: z.ZodType<string>, username: z.ZodType<string | null>) =>
  mapped(
    record({
      impersonation_id: identifier,
      platform: label,
      url: itsUrl,
      username,
      status: oneOf(['open', 'reported', 'removed', 'rejected']),
      created_at: integer,
      updated_at: integer,
    }),
    ({ impersonationId: nativeId, ...others }): NativeImpersonation => ({ nativeId, ...others }),
  );

const impersonation = impersonationWith(url, textOrNull(MAX_NAME_LENGTH));

export const parseImpersonationPage =
  (request: PageRequest) =>
  (body: unknown): ImpersonationPage => {
    const { records, ...page } = pageOf(body, request, 'impersonation_id', impersonation);
    return { impersonations: records, ...page };
  };

/**
 * The answer to a report. The report is made, and every repeat gets the same answer, so a text above its bound (D65)
 * must not refuse it: the report would fail forever. An unusable URL reads as '', and an unusable username, which the
 * platform may have taken from the URL's path, reads as null.
 */
const reported = impersonationWith(
  text.overwrite((value) => (isUsableText(value, MAX_URL_LENGTH) ? value : '')),
  text.nullable().overwrite((value) => (value !== null && isUsableText(value, MAX_NAME_LENGTH) ? value : null)),
);

/** An unusable URL reads as the reported one. */
export const parseReportedImpersonation =
  (reportedUrl: string) =>
  (body: unknown): NativeImpersonation => {
    const answered = read(reported, body);
    return { ...answered, url: answered.url || reportedUrl };
  };

const activity = record({
  id: identifier,
  type: oneOf(['leak.detected', 'leak.status', 'notice.sent', 'leak.removed']),
  occurred_at: integer,
  timestamp_basis: oneOf(['recorded', 'record_updated']),
  leak_id: identifier.nullish(),
  url: textOrNull(MAX_URL_LENGTH).optional(),
  status: textOrNull(MAX_NAME_LENGTH).optional(),
  status_code: textOrNull(MAX_NAME_LENGTH).optional(),
});

/** A cursor advances if it differs from the previous one; a record may be on two pages. */
export const parseActivityPage =
  ({ limit, cursor }: { readonly limit: number; readonly cursor?: string }) =>
  (body: unknown): ActivityPage => {
    const page = pageOf(body, { limit }, 'id', activity);
    requireProgress([], page.nextCursor, cursor);
    return page;
  };
