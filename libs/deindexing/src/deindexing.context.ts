import type { ContextDefinition } from '#kernel';
import { deindexRequestDecider } from './domain/deindex-request.js';
import { deindexingDueWork } from './processes/deindexing-due-work.js';
import { deindexAnnouncements } from './published/announcements.js';

export const deindexingContext = {
  name: 'deindexing',
  deciders: [deindexRequestDecider],
  upcasters: [],
  projections: [],
  collections: [],
  dueWork: deindexingDueWork,
  announcements: [deindexAnnouncements],
} satisfies ContextDefinition;
