import type { ContextDefinition } from '#kernel';
import { PUBLISHER, Publisher } from './publishing/publisher.js';

export const eventFeedContext = {
  name: 'event-feed',
  deciders: [],
  upcasters: [],
  projections: [],
  collections: [],
  dueWork: null,
  dueJobs: {},
  reactions: {},
  consumers: { [PUBLISHER]: Publisher },
  announcements: [],
} satisfies ContextDefinition;
