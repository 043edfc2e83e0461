import { Cursor, Optional, PageSize } from './rules.js';

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
