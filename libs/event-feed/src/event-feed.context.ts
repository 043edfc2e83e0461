import type { ContextDefinition } from '#kernel';

export const eventFeedContext = {
  name: 'event-feed',
  deciders: [],
  upcasters: [],
  projections: [],
  collections: [],
  dueWork: null,
  announcements: [],
} satisfies ContextDefinition;
