export { ListProtectionIntervals } from './application/list-protection-intervals.js';
export { MakeUsageStatement, type ShownStatement, UsageStatements } from './application/usage-statements.js';
export { splitByDay } from './domain/day.js';
export { creatorMonths, type Pricing, shareOfAmount } from './domain/estimate.js';
export { type Month, monthOf, parseMonth, spanOf } from './domain/month.js';
export {
  isSwitch,
  type ProtectionInterval,
  protectionIntervals,
  SWITCHES,
  type Switch,
  switchedAt,
} from './domain/protection-intervals.js';
export { type DayShare, explainUsage } from './domain/usage-explanation.js';
export type { ClippedInterval } from './domain/usage-figures.js';
export { METERING } from './domain/usage-meter.js';
export { pricedFigures, publicUsage } from './published/public-usage.js';
export { ExplainCreators, type ExplainedCreators } from './read-models/explain-creators.js';
export { ExplainMonth } from './read-models/explain-month.js';
export { GetUsage, type MeasuredUsage } from './read-models/get-usage.js';
export { usageIntervalsProjection } from './read-models/usage-intervals.js';
export { usageMonthsProjection } from './read-models/usage-months.js';
export { usageContext } from './usage.context.js';
export { UsageOptions } from './usage.options.js';
