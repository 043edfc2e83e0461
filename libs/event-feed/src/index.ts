export { FindEvents } from './application/find-events.js';
export { GetEvent, ListEvents, type ShownEvent } from './application/read-events.js';
export { type Visibility, type VisibilityRule, VisibleEvents } from './application/visible-events.js';
export { EVENT_FEED, type EventPublished, publish } from './domain/event-feed.js';
export {
  type Announcement,
  idsBetween,
  instantIn,
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
  publicEvent,
} from './domain/public-event.js';
export { eventFeedContext } from './event-feed.context.js';
export { Announcements } from './publishing/announcements.js';
export { PUBLISHER, Publisher } from './publishing/publisher.js';
export { CountEventsByDay } from './read-models/event-days.js';
export { FeedIndex, feedIndexProjection } from './read-models/feed-index.js';
