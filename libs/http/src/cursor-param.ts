import { invalidRequest } from '#kernel';

/** D13: where a page begins, and nothing for the first page. Any text that the list does not return as a cursor is invalid. */
export const cursorParam = <Cursor>(
  text: string | undefined,
  parse: (text: string) => Cursor | undefined,
): { readonly after?: Cursor } => {
  if (text === undefined) return {};
  const after = parse(text);
  if (after === undefined) throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
  return { after };
};
