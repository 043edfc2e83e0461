import { cursorParam, DEFAULT_PAGE_SIZE, type PageQuery } from '#http';
import { DomainError } from '#kernel';
import type { PageOf } from '../answers/parts.js';

/** A page of a list that is short enough to be read whole. The cursor is the id of the last item. */
export const pageOf = <Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit = DEFAULT_PAGE_SIZE, after: cursor }: PageQuery,
): PageOf<Item> => {
  const { after = -1 } = cursorParam(cursor, (id) => {
    const at = items.findIndex((item) => item.id === id);
    return at === -1 ? undefined : at;
  });
  const data = items.slice(after + 1, after + 1 + limit);
  const isLast = after + 1 + limit >= items.length;
  return { data, next_cursor: isLast ? null : (data.at(-1)?.id ?? null) };
};

const alphabet = new Intl.Collator('en', { numeric: true });

/** Sorted by a field, downwards after `-`. Items without it come last. */
export const sortedBy = <Item extends object>(items: readonly Item[], sort: string): Item[] => {
  const field = sort.replace('-', '') as keyof Item;
  const sign = sort.startsWith('-') ? -1 : 1;
  return items.toSorted((one, other) => {
    const [a, b] = [one[field], other[field]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'number' ? a - Number(b) : alphabet.compare(String(a), String(b)));
  });
};

/** The result of a query, or `nothing` for an id that is unknown, or an agency that was never bound. */
export const unlessUnbound = <Found>(found: Promise<Found>, nothing: Found): Promise<Found> =>
  found.catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'not_found') return nothing;
    throw error;
  });

/** The result of a query, or null while the platform or the log cannot provide it. */
export const unlessRefused = <Found>(found: Promise<Found>): Promise<Found | null> =>
  found.catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
