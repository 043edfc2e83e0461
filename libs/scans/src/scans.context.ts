import type { CreatorEvent } from '#creators';
import {
  afterGrace,
  commandOf,
  immediately,
  noLonger,
  roundContext,
  soon,
  type TaskAbout,
  type TaskRules,
} from '#jobs';
import { type ContextDefinition, type CreatorId, MINUTE } from '#kernel';
import { AdvanceScan } from './application/advance-scan.js';
import { ScansOptions } from './application/ports.js';
import { CompleteScanAdmission } from './application/queue-scan.js';
import { QueueScheduledScan } from './application/queue-scheduled-scan.js';
import { type ScanEvent, scanUpcasters } from './domain/scan.events.js';
import { scanDecider } from './domain/scan.js';
import { type ScanAllowanceEvent, scanAllowanceDecider } from './domain/scan-allowance.js';
import { CANCEL_AND_RELEASE_SCANS, CancelAndReleaseScans } from './processes/cancel-and-release-scans.js';
import { scanAnnouncements } from './published/announcements.js';
import { scanJobsProjection } from './read-models/scan-jobs.js';
import { scansOfCreatorsProjection } from './read-models/scans-of-creators.js';

const ofCreator = { subject: ({ data }: { data: { creatorId: string } }) => data.creatorId };

const scansTaskRules: TaskRules<ScanAllowanceEvent | ScanEvent, CreatorEvent> = {
  'creator.protectionActivated.v1': [{ kind: 'scheduledScan', due: immediately }],
  'creator.protectionPaused.v1': [{ kind: 'scheduledScan', due: noLonger }],
  // A crash may have left an admission whose scan was never queued; this item completes it.
  'scanAllowance.scanAdmitted.v1': [{ kind: 'admission', ...ofCreator, due: afterGrace }],
  'scanAllowance.scanReleased.v1': [],
  'scan.queued.v1': [
    { kind: 'admission', ...ofCreator, due: noLonger },
    { kind: 'scan', due: immediately },
  ],
  'scan.dispatchStarted.v1': [{ kind: 'scan', due: afterGrace }],
  'scan.accepted.v1': [{ kind: 'scan', due: soon }],
  'scan.started.v1': [{ kind: 'scan', due: soon }],
  'scan.outcomeLost.v1': [{ kind: 'scan', due: soon }],
  'scan.jobNotFound.v1': [{ kind: 'scan', due: soon }],
  'scan.completed.v1': [{ kind: 'scan', due: noLonger }],
  'scan.failed.v1': [{ kind: 'scan', due: noLonger }],
  'scan.cancelled.v1': [{ kind: 'scan', due: noLonger }],
};

export const scansContext = {
  name: 'scans',
  deciders: [scanAllowanceDecider, scanDecider],
  upcasters: scanUpcasters,
  projections: [scanJobsProjection, scansOfCreatorsProjection],
  collections: [],
  taskRules: scansTaskRules,
  taskJobs: {
    admission: {
      concurrency: 8,
      longestWait: MINUTE,
      command: commandOf(CompleteScanAdmission),
      endsDeadLetters: true,
    },
    scan: {
      concurrency: 16,
      longestWait: (optionsOf) => optionsOf(ScansOptions).pollEvery,
      command: commandOf(AdvanceScan),
      endsDeadLetters: true,
    },
    scheduledScan: {
      concurrency: 8,
      longestWait: (optionsOf) => optionsOf(ScansOptions).scheduleEvery,
      command: (item: TaskAbout<CreatorId>) =>
        new QueueScheduledScan(item.subject, item.plannedFor, roundContext(item)),
    },
  },
  reactions: { [CANCEL_AND_RELEASE_SCANS]: CancelAndReleaseScans },
  consumers: {},
  announcements: [scanAnnouncements],
} satisfies ContextDefinition;
