import type { ContextDefinition } from '#kernel';
import { scanUpcasters } from './domain/scan.events.js';
import { scanDecider } from './domain/scan.js';
import { scanAllowanceDecider } from './domain/scan-allowance.js';
import { scansDueWork } from './processes/scans-due-work.js';
import { scanAnnouncements } from './published/announcements.js';
import { scanJobsProjection } from './read-models/scan-jobs.js';

export const scansContext = {
  name: 'scans',
  deciders: [scanAllowanceDecider, scanDecider],
  upcasters: scanUpcasters,
  projections: [scanJobsProjection],
  collections: [],
  dueWork: scansDueWork,
  announcements: [scanAnnouncements],
} satisfies ContextDefinition;
