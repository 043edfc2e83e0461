import type { ContextDefinition } from '#kernel';
import { impersonationDecider } from './domain/impersonation.js';
import { impersonationReportDecider } from './domain/impersonation-report.js';
import { impersonationAnnouncements } from './published/announcements.js';
import { impersonationListProjection } from './read-models/impersonation-list.js';

export const impersonationsContext = {
  name: 'impersonations',
  deciders: [impersonationDecider, impersonationReportDecider],
  upcasters: [],
  projections: [impersonationListProjection],
  collections: [],
  dueWork: null,
  announcements: [impersonationAnnouncements],
} satisfies ContextDefinition;
