export * from './commands.js';
export * from './deindex-request.events.js';
export * from './deindex-request.js';
export { Deindexing, type DeindexRequested } from './deindexing.js';
export * from './ports.js';
export * from './public-deindex-request.js';
