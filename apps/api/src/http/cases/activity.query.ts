import { Cursor, Optional, PageQuery } from '#http';

/** Enough for the longest cursor of the platform, encrypted. */
const MAX_CURSOR_LENGTH = 6_000;

export class ActivityQuery extends PageQuery {
  @Optional()
  @Cursor(MAX_CURSOR_LENGTH)
  override after?: string;
}
