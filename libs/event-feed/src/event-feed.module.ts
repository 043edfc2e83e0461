import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { EventFeed } from './application/feed-reading.js';
import { ListEventsHandler } from './application/list-events.js';
import { VisibleEvents } from './application/visible-events.js';
import { eventFeedContext } from './event-feed.context.js';
import { Announcements } from './publishing/announcements.js';

@Module({
  imports: [CreatorsModule],
  providers: [EventFeed, VisibleEvents, ListEventsHandler, Announcements, ...Object.values(eventFeedContext.consumers)],
  exports: [EventFeed, VisibleEvents, Announcements],
})
export class EventFeedModule {}
