export { FindEvents, type FoundEvents, GetEvent, ListEvents, type ShownEvent } from './application/read-events.js';
export { type Visibility, type VisibilityRule, VisibleEvents } from './application/visible-events.js';
export { eventSummary } from './domain/event-summary.js';
export {
  type Announcement,
  EVENT_FEED,
  type EventPublished,
  idsBetween,
  instantIn,
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
  publicEvent,
  publish,
} from './domain/public-event.js';
export { eventFeedContext } from './event-feed.context.js';
export { Announcements } from './publishing/announcements.js';
export { PUBLISHER, Publisher } from './publishing/publisher.js';
export { CountEventsByDay } from './read-models/event-days.js';
export { type FeedFilter, FeedIndex, feedIndexProjection } from './read-models/feed-index.js';
