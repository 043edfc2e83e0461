import { type Branded, DomainError, type IdKind, invalidRequest, parseId } from '#kernel';
import { parseMonth } from '#usage';
import { asText, Cursor, Described, Optional, PageSize, rule } from './rules.js';

/** D9: a malformed id, or one of another kind, is not found. */
export const idParam = <Kind extends IdKind>(kind: Kind, text: string): Branded<Kind> => {
  const id = parseId(kind, text);
  if (id === undefined) throw new DomainError('not_found');
  return id;
};

/** D13: where a page begins; nothing for the first page. Text that the list does not return as a cursor is invalid. */
export const cursorParam = <Cursor>(
  text: string | undefined,
  parse: (text: string) => Cursor | undefined,
): { readonly after?: Cursor } => {
  if (text === undefined) return {};
  const after = parse(text);
  if (after === undefined) throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
  return { after };
};

export const MonthText = () =>
  rule(
    { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$', example: '2026-11' },
    asText((text) => (parseMonth(text) === undefined ? 'must be a month as YYYY-MM' : undefined)),
  );

export class UsageQuery {
  @Optional()
  @Described('A UTC month, such as `2026-11`; the current month by default.')
  @MonthText()
  month?: string;
}

/** Records of a collection. */
export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** The page parameters of every collection. */
export class PageQuery {
  @Optional()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE)
  limit?: number;

  @Optional()
  @Cursor()
  after?: string;
}

/** For writes whose body is `{}` (D8). */
export class EmptyBody {}
