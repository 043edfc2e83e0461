import { cursorParam, DEFAULT_PAGE_SIZE, type PageQuery } from '#http';

/** A page of a list that is short enough to be read whole; its cursor is the id of the last item. */
export const pageOf = <Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit = DEFAULT_PAGE_SIZE, after: cursor }: PageQuery,
): { readonly data: readonly Item[]; readonly next_cursor: string | null } => {
  const { after = -1 } = cursorParam(cursor, (id) => {
    const at = items.findIndex((item) => item.id === id);
    return at === -1 ? undefined : at;
  });
  const data = items.slice(after + 1, after + 1 + limit);
  const isLast = after + 1 + limit >= items.length;
  return { data, next_cursor: isLast ? null : (data.at(-1)?.id ?? null) };
};
