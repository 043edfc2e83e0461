import { type CaseId, invalidRequest, parseId } from '#kernel';

/** The case after which a page begins; only a case id can be one (D13). */
export const caseCursor = (after: string | undefined): { readonly after?: CaseId } => {
  if (after === undefined) return {};
  const cursor = parseId('case', after);
  if (cursor === undefined) throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
  return { after: cursor };
};
