import type { ImpersonationPage, NativeImpersonation } from '#cases';
import { fieldsOf, identifier, integer, listOf, Mismatch, oneOf, orNull, text } from '../fields.js';

const status = oneOf(['open', 'reported', 'removed', 'rejected']);
const textOrNull = orNull(text);
const identifierOrNull = orNull(identifier);

/** Neither private notes nor contacts are read. */
export const parseImpersonation = (value: unknown): NativeImpersonation => {
  const fields = fieldsOf(value);
  return {
    nativeId: identifier(fields, 'impersonation_id'),
    platform: text(fields, 'platform'),
    url: text(fields, 'url'),
    username: textOrNull(fields, 'username'),
    status: status(fields, 'status'),
    createdAt: integer(fields, 'created_at'),
    updatedAt: integer(fields, 'updated_at'),
  };
};

const impersonations = listOf(parseImpersonation);

/** The order of ids is the platform's collation and is not checked; that a page leads on is. */
export const parseImpersonationPage =
  ({ limit, after }: { readonly limit: number; readonly after?: string }) =>
  (body: unknown): ImpersonationPage => {
    const fields = fieldsOf(body);
    const page: ImpersonationPage = {
      impersonations: impersonations(fields, 'data'),
      nextCursor: identifierOrNull(fields, 'next_cursor'),
    };
    if (page.impersonations.length > limit) throw new Mismatch('data is longer than the limit');
    const ids = new Set(page.impersonations.map(({ nativeId }) => nativeId));
    if (ids.size !== page.impersonations.length) throw new Mismatch('data names an impersonation_id twice');
    if (after !== undefined && (ids.has(after) || page.nextCursor === after)) {
      throw new Mismatch('the page does not lead on');
    }
    return page;
  };
