export * from './day.js';
export * from './estimate.js';
export * from './month.js';
export * from './usage-meter.js';
