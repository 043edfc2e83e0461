export * from './event-feed.js';
export * from './feed-reading.js';
export * from './public-event.js';
