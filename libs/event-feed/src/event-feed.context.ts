import type { ContextDefinition } from '#kernel';
import { PUBLISHER, Publisher } from './publishing/publisher.js';
import { eventDaysProjection } from './read-models/event-days.js';
import { feedIndexProjection } from './read-models/feed-index.js';

export const eventFeedContext = {
  name: 'event-feed',
  deciders: [],
  upcasters: [],
  projections: [feedIndexProjection, eventDaysProjection],
  collections: [],
  taskRules: null,
  taskJobs: {},
  reactions: {},
  consumers: { [PUBLISHER]: Publisher },
  announcements: [],
} satisfies ContextDefinition;
