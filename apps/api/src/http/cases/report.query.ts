import { MAX_PAGE_SIZE } from '../validation/page.query.js';
import { Cursor, Omittable, PageSize } from '../validation/rules.js';

/** D52: a page of the report is as long as it may be, unless asked otherwise. */
export const DEFAULT_REPORT_PAGE_SIZE = MAX_PAGE_SIZE;

export class ReportQuery {
  @Omittable()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_REPORT_PAGE_SIZE)
  limit?: number;

  @Omittable()
  @Cursor()
  after?: string;
}
