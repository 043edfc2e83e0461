export { ExplainCreatorMonth } from './application/explain-creator-month.js';
export { ListProtectionIntervals } from './application/list-protection-intervals.js';
export { splitByDay } from './domain/day.js';
export { amounts, creatorMonths, type Pricing, shareOfAmount } from './domain/estimate.js';
export { type Month, monthOf, parseMonth, spanOf } from './domain/month.js';
export {
  isSwitch,
  type ProtectionInterval,
  protectionIntervals,
  SWITCHES,
  type Switch,
  switchedAt,
} from './domain/protection-intervals.js';
export {
  daysThrough,
  type ExplainedInterval,
  explainUsage,
  type UsageExplanation,
} from './domain/usage-explanation.js';
export { METERING } from './domain/usage-meter.js';
export { type PublicUsage, publicUsage } from './published/public-usage.js';
export { ExplainCreators, type ExplainedCreators } from './read-models/explain-creators.js';
export { ExplainMonth } from './read-models/explain-month.js';
export { GetUsage } from './read-models/get-usage.js';
export { usageMonthsProjection } from './read-models/usage-months.js';
export { usageOpeningsProjection } from './read-models/usage-openings.js';
export { usageContext } from './usage.context.js';
export { UsageOptions } from './usage.options.js';
