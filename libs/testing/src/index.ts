export * from './eventually.js';
export * from './fake-clock.js';
export * from './fake-directory.js';
export * from './fake-engine.js';
export * from './fake-leaks.js';
export * from './fake-search.js';
export * from './given.js';
export * from './recording-logger.js';
