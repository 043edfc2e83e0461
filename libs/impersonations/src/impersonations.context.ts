import type { ContextDefinition } from '#kernel';
import { WALK_CURSORS } from './application/impersonation-synchronization.js';
import { impersonationDecider } from './domain/impersonation.js';
import { impersonationReportDecider, impersonationReportUpcasters } from './domain/impersonation-report.js';
import { impersonationAnnouncements } from './published/announcements.js';
import { impersonationListProjection } from './read-models/impersonation-list.js';

export const impersonationsContext = {
  name: 'impersonations',
  deciders: [impersonationDecider, impersonationReportDecider],
  upcasters: impersonationReportUpcasters,
  projections: [impersonationListProjection],
  collections: [WALK_CURSORS],
  taskRules: null,
  taskJobs: {},
  reactions: {},
  consumers: {},
  announcements: [impersonationAnnouncements],
} satisfies ContextDefinition;
