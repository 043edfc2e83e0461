export { ListProtectionIntervals } from './application/list-protection-intervals.js';
export { MakeUsageStatement, type ShownStatement, UsageStatements } from './application/usage-statements.js';
export { creatorMonths, type Pricing, shareOfAmount, UsageOptions } from './domain/estimate.js';
export { type Month, monthOf, parseMonth, spanOf } from './domain/month.js';
export {
  isSwitch,
  type ProtectionInterval,
  protectionIntervals,
  SWITCHES,
  type Switch,
  switchedAt,
} from './domain/protection-intervals.js';
export type { ClippedInterval } from './domain/usage-explanation.js';
export { type DayShare, dayOf, explainUsage, splitByDay } from './domain/usage-explanation.js';
export { METERING } from './domain/usage-meter.js';
export { pricedFigures, publicUsage } from './published/public-usage.js';
export { ExplainCreators, type ExplainedCreators, ExplainMonth } from './read-models/explain-usage.js';
export { GetUsage, type MeasuredUsage } from './read-models/get-usage.js';
export { usageContext } from './usage.context.js';
