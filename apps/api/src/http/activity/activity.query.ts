import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../validation/page.query.js';
import { Cursor, Omittable, PageSize } from '../validation/rules.js';

/** Holds the longest cursor of the platform, sealed. */
const MAX_CURSOR_LENGTH = 6_000;

export class ActivityQuery {
  @Omittable()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE)
  limit?: number;

  @Omittable()
  @Cursor(MAX_CURSOR_LENGTH)
  after?: string;
}
