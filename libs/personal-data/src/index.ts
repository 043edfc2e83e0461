export * from './key-ring.js';
export * from './ports.js';
export * from './sealed-log.js';
export * from './sealed-personal.js';
export { open } from './sealing.js';
export * from './sentinel.js';
export * from './wrapping-keys.js';
