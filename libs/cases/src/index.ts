export * from './case.events.js';
export * from './case.js';
export * from './case-synchronisation.js';
export * from './ports.js';
export * from './public-activity.js';
export * from './public-case.js';
