import type { ContextDefinition } from '#kernel';
import { scanUpcasters } from './domain/scan.events.js';
import { scanDecider } from './domain/scan.js';
import { scanAllowanceDecider } from './domain/scan-allowance.js';
import { CANCEL_AND_RELEASE_SCANS, CancelAndReleaseScans } from './processes/cancel-and-release-scans.js';
import { ScanAdmissions } from './processes/scan-admissions.js';
import { ScanFollowUp } from './processes/scan-follow-up.js';
import { scansDueWork } from './processes/scans-due-work.js';
import { ScheduledScans } from './processes/scheduled-scans.js';
import { scanAnnouncements } from './published/announcements.js';
import { scanJobsProjection } from './read-models/scan-jobs.js';

export const scansContext = {
  name: 'scans',
  deciders: [scanAllowanceDecider, scanDecider],
  upcasters: scanUpcasters,
  projections: [scanJobsProjection],
  collections: [],
  dueWork: scansDueWork,
  dueJobs: { admission: ScanAdmissions, scan: ScanFollowUp, scheduledScan: ScheduledScans },
  reactions: { [CANCEL_AND_RELEASE_SCANS]: CancelAndReleaseScans },
  consumers: {},
  announcements: [scanAnnouncements],
} satisfies ContextDefinition;
