import type { ImpersonationPage, NativeImpersonation } from '#impersonations';
import {
  type Fields,
  fieldsOf,
  identifier,
  integer,
  isUsableText,
  label,
  MAX_NAME_LENGTH,
  MAX_URL_LENGTH,
  oneOf,
  text,
  textOrNull,
  url,
} from '../fields.js';
import { nextCursorOf, recordsOf, requireProgress } from './page.js';

const status = oneOf(['open', 'reported', 'removed', 'rejected']);
const labelOrNull = textOrNull(label);
const anyOrNull = textOrNull(text);
const nativeId = (fields: Fields) => identifier(fields, 'impersonation_id');

/** Neither private notes nor contacts are read. */
const parserWith =
  (readUrl: typeof url, readUsername: typeof labelOrNull) =>
  (value: unknown): NativeImpersonation => {
    const fields = fieldsOf(value);
    return {
      nativeId: nativeId(fields),
      platform: label(fields, 'platform'),
      url: readUrl(fields, 'url'),
      username: readUsername(fields, 'username'),
      status: status(fields, 'status'),
      createdAt: integer(fields, 'created_at'),
      updatedAt: integer(fields, 'updated_at'),
    };
  };

export const parseImpersonation = parserWith(url, labelOrNull);

/**
 * The answer to a report. The report is made, and every repeat gets the same answer, so a text above its bound (D65)
 * must not refuse it: the report would fail forever. A URL above its bound, or a blank one, reads as the reported one, and a username
 * above its bound, which the platform may have taken from the URL's path, reads as null.
 */
export const parseReportedImpersonation = (reportedUrl: string) =>
  parserWith(
    (fields, name) => {
      const value = text(fields, name);
      return isUsableText(value, MAX_URL_LENGTH) ? value : reportedUrl;
    },
    (fields, name) => {
      const username = anyOrNull(fields, name);
      return username === null || isUsableText(username, MAX_NAME_LENGTH) ? username : null;
    },
  );

/** The order of ids is the platform's collation and is not checked. It is only checked that a page advances. */
export const parseImpersonationPage =
  ({ limit, after }: { readonly limit: number; readonly after?: string }) =>
  (body: unknown): ImpersonationPage => {
    const fields = fieldsOf(body);
    const { records, refused, ids } = recordsOf(fields, limit, nativeId, parseImpersonation);
    const nextCursor = nextCursorOf(fields);
    requireProgress(ids, nextCursor, after);
    return { impersonations: records, refused, nextCursor };
  };
