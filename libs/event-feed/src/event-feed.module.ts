import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { EventFeed } from './application/feed-reading.js';
import { ListEventsHandler } from './application/list-events.js';
import { VisibleEvents } from './application/visible-events.js';
import { Announcements } from './publishing/announcements.js';
import { Publisher } from './publishing/publisher.js';

@Module({
  imports: [CreatorsModule],
  providers: [EventFeed, VisibleEvents, ListEventsHandler, Announcements, Publisher],
  exports: [EventFeed, VisibleEvents, Announcements, Publisher],
})
export class EventFeedModule {}
