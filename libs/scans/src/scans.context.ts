import { roundContext, taskContext, taskJob } from '#jobs';
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
import { scansTaskRules } from './processes/scans-task-rules.js';
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
  taskRules: scansTaskRules,
  taskJobs: {
    /** A crash left the admission without its scan. */
    admission: taskJob<CreatorId>(
      { concurrency: 8, longestWait: MINUTE },
      (item) => new CompleteScanAdmission(item.subject, taskContext(item)),
      (item) => new EndDeadLetterAdmission(item.subject, taskContext(item)),
    ),
    /** Until the scan has ended (D47, D48). */
    scan: taskJob<ScanId>(
      { concurrency: 16, longestWait: (optionsOf) => optionsOf(ScansOptions).pollEvery },
      (item) => new AdvanceScan(item.subject, taskContext(item)),
      (item) => new EndDeadLetterScan(item.subject, taskContext(item)),
    ),
    scheduledScan: taskJob<CreatorId>(
      { concurrency: 8, longestWait: (optionsOf) => optionsOf(ScansOptions).scheduleEvery },
      (item) => new QueueScheduledScan(item.subject, item.plannedFor, roundContext(item)),
    ),
  },
  reactions: { [CANCEL_AND_RELEASE_SCANS]: CancelAndReleaseScans },
  consumers: {},
  announcements: [scanAnnouncements],
} satisfies ContextDefinition;
