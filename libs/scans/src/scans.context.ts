import { dueContext, dueJob, roundContext } from '#jobs';
import { type ContextDefinition, type CreatorId, MINUTE, type ScanId } from '#kernel';
import { AdvanceScan } from './application/advance-scan.js';
import { CompleteScanAdmission } from './application/complete-scan-admission.js';
import { EndDeadLetterAdmission } from './application/end-dead-letter-admission.js';
import { EndDeadLetterScan } from './application/end-dead-letter-scan.js';
import { QueueScheduledScan } from './application/queue-scheduled-scan.js';
import { scanUpcasters } from './domain/scan.events.js';
import { scanDecider } from './domain/scan.js';
import { scanAllowanceDecider } from './domain/scan-allowance.js';
import { CANCEL_AND_RELEASE_SCANS, CancelAndReleaseScans } from './processes/cancel-and-release-scans.js';
import { scansDueWork } from './processes/scans-due-work.js';
import { scanAnnouncements } from './published/announcements.js';
import { scanJobsProjection } from './read-models/scan-jobs.js';
import { scansOfCreatorsProjection } from './read-models/scans-of-creators.js';
import { ScansOptions } from './scans.options.js';

export const scansContext = {
  name: 'scans',
  deciders: [scanAllowanceDecider, scanDecider],
  upcasters: scanUpcasters,
  projections: [scanJobsProjection, scansOfCreatorsProjection],
  collections: [],
  dueWork: scansDueWork,
  dueJobs: {
    /** A crash left the admission without its scan. */
    admission: dueJob<CreatorId>(
      { concurrency: 8, longestWait: MINUTE },
      (item) => new CompleteScanAdmission(item.subject, dueContext(item)),
      (item) => new EndDeadLetterAdmission(item.subject, dueContext(item)),
    ),
    /** Until the scan has ended (D47, D48). */
    scan: dueJob<ScanId>(
      { concurrency: 16, longestWait: (optionsOf) => optionsOf(ScansOptions).pollEvery },
      (item) => new AdvanceScan(item.subject, dueContext(item)),
      (item) => new EndDeadLetterScan(item.subject, dueContext(item)),
    ),
    scheduledScan: dueJob<CreatorId>(
      { concurrency: 8, longestWait: (optionsOf) => optionsOf(ScansOptions).scheduleEvery },
      (item) => new QueueScheduledScan(item.subject, item.plannedFor, roundContext(item)),
    ),
  },
  reactions: { [CANCEL_AND_RELEASE_SCANS]: CancelAndReleaseScans },
  consumers: {},
  announcements: [scanAnnouncements],
} satisfies ContextDefinition;
