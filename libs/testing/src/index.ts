export * from './eventually.js';
export * from './fake-clock.js';
export * from './given.js';
export * from './recording-logger.js';
