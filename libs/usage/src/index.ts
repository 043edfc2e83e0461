export * from './domain/day.js';
export * from './domain/estimate.js';
export * from './domain/month.js';
export * from './domain/usage-meter.js';
export * from './processes/metering.js';
export * from './read-models/usage-figures.js';
export * from './read-models/usage-months.js';
export * from './read-models/usage-openings.js';
export { usageContext } from './usage.context.js';
