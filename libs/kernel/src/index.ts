export * from './document-store.js';
export * from './errors.js';
export * from './event.js';
export * from './event-log.js';
export * from './ids.js';
export * from './instant.js';
