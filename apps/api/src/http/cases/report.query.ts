import { MAX_PAGE_SIZE } from '../validation/page.query.js';
import { Cursor, Optional, PageSize } from '../validation/rules.js';

/** D52: a page of the report has the greatest length by default. */
export const DEFAULT_REPORT_PAGE_SIZE = MAX_PAGE_SIZE;

export class ReportQuery {
  @Optional()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_REPORT_PAGE_SIZE)
  limit?: number;

  @Optional()
  @Cursor()
  after?: string;
}
