import { parseMonth } from '#usage';
import { asText, Omittable, rule } from '../validation/rules.js';

const MonthText = () =>
  rule(
    'month',
    asText((text) => (parseMonth(text) === undefined ? 'must be a month as YYYY-MM' : undefined)),
  );

export class UsageQuery {
  @Omittable()
  @MonthText()
  month?: string;
}
