import type { CreatorEvent } from '#creators';
import { afterGrace, immediately, noLonger, soon, type TaskRules } from '#jobs';
import type { ScanEvent } from '../domain/scan.events.js';
import type { ScanAllowanceEvent } from '../domain/scan-allowance.js';

const ofCreator = { subject: ({ data }: { data: { creatorId: string } }) => data.creatorId };

export const scansTaskRules: TaskRules<ScanAllowanceEvent | ScanEvent, CreatorEvent> = {
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
