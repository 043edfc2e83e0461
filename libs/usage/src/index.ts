export * from './usage-meter.js';
