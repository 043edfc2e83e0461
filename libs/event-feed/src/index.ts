export { ListEvents } from './application/list-events.js';
export { type VisibilityRule, VisibleEvents } from './application/visible-events.js';
export { EVENT_FEED, type EventPublished, publish } from './domain/event-feed.js';
export { type Announcement, PUBLIC_EVENT_TYPES, type PublicEventType, publicEvent } from './domain/public-event.js';
export { eventFeedContext } from './event-feed.context.js';
export { Announcements } from './publishing/announcements.js';
export { PUBLISHER, Publisher } from './publishing/publisher.js';
