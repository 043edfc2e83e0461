import { CASE_WALK } from '#creators';
import type { ContextDefinition } from '#kernel';
import { caseDecider } from './domain/case.js';
import { CaseWalks } from './processes/case-walks.js';
import { casesDueWork } from './processes/cases-due-work.js';
import { caseAnnouncements } from './published/announcements.js';
import { caseListProjection } from './read-models/case-list.js';
import { SYNC_MARKS } from './read-models/sync-marks.js';

export const casesContext = {
  name: 'cases',
  deciders: [caseDecider],
  upcasters: [],
  projections: [caseListProjection],
  collections: [SYNC_MARKS],
  dueWork: casesDueWork,
  dueJobs: { [CASE_WALK]: CaseWalks },
  reactions: {},
  consumers: {},
  announcements: [caseAnnouncements],
} satisfies ContextDefinition;
