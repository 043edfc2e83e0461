import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { Clock, provided } from '#kernel';
import { ReadModels, readModelProvider } from '#projections';
import { EventFeed } from './application/feed-reading.js';
import { FindEventsHandler, GetEventHandler, ListEventsHandler } from './application/read-events.js';
import { VisibleEvents } from './application/visible-events.js';
import { eventFeedContext } from './event-feed.context.js';
import { Announcements } from './publishing/announcements.js';
import { CountEventsByDayHandler, eventDaysProjection } from './read-models/event-days.js';
import { FeedIndex, feedIndexProjection } from './read-models/feed-index.js';

@Module({
  imports: [CreatorsModule],
  providers: [
    readModelProvider(FeedIndex, feedIndexProjection),
    EventFeed,
    VisibleEvents,
    FindEventsHandler,
    GetEventHandler,
    provided(
      CountEventsByDayHandler,
      [ReadModels, Clock],
      (models, clock) => new CountEventsByDayHandler(models.of(eventDaysProjection), clock),
    ),
    ListEventsHandler,
    Announcements,
    ...Object.values(eventFeedContext.consumers),
  ],
  exports: [EventFeed, FeedIndex, VisibleEvents, Announcements],
})
export class EventFeedModule {}
