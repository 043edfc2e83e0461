import type { ImpersonationPage, NativeImpersonation } from '#impersonations';
import { isBoundedText } from '#kernel';
import {
  type Fields,
  fieldsOf,
  identifier,
  integer,
  label,
  MAX_NAME_LENGTH,
  oneOf,
  orNull,
  text,
  url,
} from '../fields.js';
import { nextCursorOf, recordsOf, requireProgress } from './page.js';

const status = oneOf(['open', 'reported', 'removed', 'rejected']);
const labelOrNull = orNull(label);
const textOrNull = orNull(text);
const nativeId = (fields: Fields) => identifier(fields, 'impersonation_id');

/** Neither private notes nor contacts are read. */
const parserWith =
  (username: typeof labelOrNull) =>
  (value: unknown): NativeImpersonation => {
    const fields = fieldsOf(value);
    return {
      nativeId: nativeId(fields),
      platform: label(fields, 'platform'),
      url: url(fields, 'url'),
      username: username(fields, 'username'),
      status: status(fields, 'status'),
      createdAt: integer(fields, 'created_at'),
      updatedAt: integer(fields, 'updated_at'),
    };
  };

export const parseImpersonation = parserWith(labelOrNull);

/**
 * The answer to a report. The report is made, and the platform may take the username from the path of the reported URL,
 * which has 2,048 characters; a username above its bound (D65) reads as null, so that the report does not fail for ever.
 */
export const parseReportedImpersonation = parserWith((fields, name) => {
  const username = textOrNull(fields, name);
  return username === null || isBoundedText(username, MAX_NAME_LENGTH) ? username : null;
});

/** The order of ids is the platform's collation and is not checked; that a page leads on is. */
export const parseImpersonationPage =
  ({ limit, after }: { readonly limit: number; readonly after?: string }) =>
  (body: unknown): ImpersonationPage => {
    const fields = fieldsOf(body);
    const { records, refused, ids } = recordsOf(fields, limit, nativeId, parseImpersonation);
    const nextCursor = nextCursorOf(fields);
    requireProgress(ids, nextCursor, after);
    return { impersonations: records, refused, nextCursor };
  };
