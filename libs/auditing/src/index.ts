export * from './deciders.js';
export * from './differences.js';
export * from './event-selection.js';
export * from './log-walk.js';
export * from './moment.js';
export * from './pseudonyms.js';
export * from './stream-state.js';
