export * from './application/commands.js';
export type { DeindexRequested } from './application/deindexing.js';
export * from './application/ports.js';
export { deindexingContext } from './deindexing.context.js';
export * from './deindexing.options.js';
export * from './domain/deindex-request.events.js';
export * from './domain/deindex-request.js';
export type { DeindexAnnouncement } from './published/announcements.js';
export * from './published/public-deindex-request.js';
