import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { Caches, EventLog } from '#kernel';
import { EventFeed } from './application/feed-reading.js';
import { ListEventsHandler } from './application/list-events.js';
import { VisibleEvents } from './application/visible-events.js';
import { EventFeedOptions } from './event-feed.options.js';
import { Announcements } from './publishing/announcements.js';
import { Publisher } from './publishing/publisher.js';

@Module({
  imports: [CreatorsModule],
  providers: [
    EventFeed,
    VisibleEvents,
    ListEventsHandler,
    {
      provide: Announcements,
      useFactory: (log: EventLog, options: EventFeedOptions, caches: Caches) => new Announcements(log, options, caches),
      inject: [EventLog, EventFeedOptions, Caches],
    },
    Publisher,
  ],
  exports: [EventFeed, VisibleEvents, Announcements, Publisher],
})
export class EventFeedModule {}
