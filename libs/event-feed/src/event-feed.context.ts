import type { ContextDefinition } from '#kernel';

export const eventFeedContext = {
  name: 'event-feed',
  deciders: [],
  upcasters: [],
  projections: [],
  collections: [],
  dueWork: null,
  dueJobs: {},
  reactions: {},
  announcements: [],
} satisfies ContextDefinition;
