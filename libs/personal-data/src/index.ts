export * from './key-ring.js';
export * from './ports.js';
export * from './sealed-log.js';
export * from './sealed-personal.js';
