export * from './application/feed-reading.js';
export { ListEvents } from './application/list-events.js';
export { type VisibilityRule, VisibleEvents } from './application/visible-events.js';
export * from './domain/event-feed.js';
export * from './domain/public-event.js';
export { eventFeedContext } from './event-feed.context.js';
export { Announcements } from './publishing/announcements.js';
export { PUBLISHER, Publisher } from './publishing/publisher.js';
