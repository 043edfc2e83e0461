import type { CreatorEvent } from '#creators';
import { type CommandRunner, type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { cancelQueuedScan, type ScanEvent, type Scans, scanDecider } from '#scans';
import { reacting } from './reactions.js';

export const SCAN_PLACES = 'scan-places';

/** Frees a creator's place when its scan has ended, and cancels what still waits when protection is paused. */
export const scanPlacesProcess = (runner: CommandRunner, scans: Scans) => {
  const contextOf = ({ id, metadata }: RecordedEvent) =>
    processContext(SCAN_PLACES, metadata.workspaceId, { id, correlationId: metadata.correlationId });

  const free = (
    event: RecordedEvent<Extract<ScanEvent, { type: 'scan.completed.v1' | 'scan.failed.v1' | 'scan.cancelled.v1' }>>,
  ) => scans.release(event.data.creatorId, event.data.scanId, 'ended', contextOf(event));

  return reacting<ScanEvent | CreatorEvent>(SCAN_PLACES, {
    'scan.completed.v1': free,
    'scan.failed.v1': free,
    'scan.cancelled.v1': free,
    'creator.protectionPaused.v1': async (event) => {
      const pending = await scans.pendingOf(streamId(event.stream) as CreatorId);
      if (pending?.status !== 'queued') return;
      await runner.run(scanDecider, pending.scanId, contextOf(event), cancelQueuedScan);
    },
  });
};
