export * from './encrypted-log.js';
export * from './encrypted-personal.js';
export { decrypt } from './encryption.js';
export * from './events-about.js';
export * from './key-ring.js';
export * from './ports.js';
export * from './sentinel.js';
export * from './wrapping-keys.js';
