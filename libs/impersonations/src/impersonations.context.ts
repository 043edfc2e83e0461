import type { ContextDefinition } from '#kernel';
import { impersonationDecider } from './domain/impersonation.js';
import { impersonationReportUpcasters } from './domain/impersonation-report.events.js';
import { impersonationReportDecider } from './domain/impersonation-report.js';
import { impersonationAnnouncements } from './published/announcements.js';
import { impersonationListProjection } from './read-models/impersonation-list.js';
import { WALK_MARKS } from './read-models/walk-marks.js';

export const impersonationsContext = {
  name: 'impersonations',
  deciders: [impersonationDecider, impersonationReportDecider],
  upcasters: impersonationReportUpcasters,
  projections: [impersonationListProjection],
  collections: [WALK_MARKS],
  taskRules: null,
  taskJobs: {},
  reactions: {},
  consumers: {},
  announcements: [impersonationAnnouncements],
} satisfies ContextDefinition;
