import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../validation/page.query.js';
import { Cursor, Optional, PageSize } from '../validation/rules.js';

/** Enough for the longest cursor of the platform, encrypted. */
const MAX_CURSOR_LENGTH = 6_000;

export class ActivityQuery {
  @Optional()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE)
  limit?: number;

  @Optional()
  @Cursor(MAX_CURSOR_LENGTH)
  after?: string;
}
