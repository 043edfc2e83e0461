import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { readModelProvider } from '#projections';
import { EventFeed } from './application/feed-reading.js';
import { FindEventsHandler } from './application/find-events.js';
import { GetEventHandler, ListEventsHandler } from './application/read-events.js';
import { VisibleEvents } from './application/visible-events.js';
import { eventFeedContext } from './event-feed.context.js';
import { Announcements } from './publishing/announcements.js';
import { CountEventsByDayHandler, EventDays, eventDaysProjection } from './read-models/event-days.js';
import { FeedIndex, feedIndexProjection } from './read-models/feed-index.js';

@Module({
  imports: [CreatorsModule],
  providers: [
    readModelProvider(FeedIndex, feedIndexProjection),
    EventFeed,
    VisibleEvents,
    FindEventsHandler,
    GetEventHandler,
    readModelProvider(EventDays, eventDaysProjection),
    CountEventsByDayHandler,
    ListEventsHandler,
    Announcements,
    ...Object.values(eventFeedContext.consumers),
  ],
  exports: [EventFeed, FeedIndex, VisibleEvents, Announcements],
})
export class EventFeedModule {}
