export * from './event-feed.js';
export * from './public-event.js';
