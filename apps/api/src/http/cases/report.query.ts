import { MAX_PAGE_SIZE, Optional, PageQuery, PageSize } from '#http';

/** D52: a page of the report has the greatest length by default. */
export const DEFAULT_REPORT_PAGE_SIZE = MAX_PAGE_SIZE;

export class ReportQuery extends PageQuery {
  @Optional()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_REPORT_PAGE_SIZE)
  override limit?: number;
}
