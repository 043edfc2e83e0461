import { MonthText, UsageQuery } from '../../../api/src/http/usage/usage.query.js';
import { MAX_PAGE_SIZE } from '../../../api/src/http/validation/page.query.js';
import { Cursor, Optional, PageSize } from '../../../api/src/http/validation/rules.js';

export const DEFAULT_USAGE_PAGE_SIZE = 50;

export class StatementBody {
  @MonthText()
  month!: string;
}

export class UsageCreatorsQuery extends UsageQuery {
  @Optional()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_USAGE_PAGE_SIZE)
  limit?: number;

  @Optional()
  @Cursor()
  after?: string;
}
