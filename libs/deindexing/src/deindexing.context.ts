import type { ContextDefinition } from '#kernel';
import { deindexRequestUpcasters } from './domain/deindex-request.events.js';
import { deindexRequestDecider } from './domain/deindex-request.js';
import { DeindexFollowUp } from './processes/deindex-follow-up.js';
import { deindexingDueWork } from './processes/deindexing-due-work.js';
import { deindexAnnouncements } from './published/announcements.js';

export const deindexingContext = {
  name: 'deindexing',
  deciders: [deindexRequestDecider],
  upcasters: deindexRequestUpcasters,
  projections: [],
  collections: [],
  dueWork: deindexingDueWork,
  dueJobs: { deindex: DeindexFollowUp },
  reactions: {},
  consumers: {},
  announcements: [deindexAnnouncements],
} satisfies ContextDefinition;
