/** What a store's adapter needs of the kernel, and its threads load: none of this imports anything else. */
export * from './document-store.js';
export * from './event.js';
export * from './event-log.js';
export * from './heard.js';
export * from './instant.js';
