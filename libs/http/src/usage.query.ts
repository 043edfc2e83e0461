import { parseMonth } from '#usage';
import { asText, Described, Optional, rule } from './rules.js';

export const MonthText = () =>
  rule(
    { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$', example: '2026-11' },
    asText((text) => (parseMonth(text) === undefined ? 'must be a month as YYYY-MM' : undefined)),
  );

export class UsageQuery {
  @Optional()
  @Described('A UTC month, such as `2026-11`; the present one by default.')
  @MonthText()
  month?: string;
}
