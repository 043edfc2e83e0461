import { type CreatorEvent, creatorDecider } from '#creators';
import { reacting } from '#jobs';
import { type CommandRunner, type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import type { Scans } from '../application/scans.js';
import type { ScanEvent } from '../domain/scan.events.js';
import { cancelQueuedScan, scanDecider } from '../domain/scan.js';
import { scanCancellation } from './scan-cancellation.js';

export const SCAN_PLACES = 'scan-places';

/** Frees a creator's place when its scan has ended, and cancels what still waits when protection is paused. */
export const scanPlacesProcess = (runner: CommandRunner, scans: Scans) => {
  const contextOf = ({ id, metadata }: RecordedEvent) =>
    processContext(SCAN_PLACES, metadata.workspaceId, { id, correlationId: metadata.correlationId });

  const free = (
    event: RecordedEvent<Extract<ScanEvent, { type: 'scan.completed.v1' | 'scan.failed.v1' | 'scan.cancelled.v1' }>>,
  ) => scans.release(event.data.creatorId, event.data.scanId, 'ended', contextOf(event));

  /** D79: what was queued before the pause, by position in the log; protection may have been activated since. */
  const cancelEarlier = async (event: RecordedEvent<CreatorEvent>) => {
    const creatorId = streamId(event.stream) as CreatorId;
    const pending = await scans.pendingOf(creatorId);
    if (pending?.status !== 'queued') return;
    const { state: creator } = await runner.load(creatorDecider, creatorId);
    await runner.run(scanDecider, pending.scanId, contextOf(event), (scan, now, queuedAt) =>
      queuedAt < event.position ? cancelQueuedScan(scan, now, scanCancellation(creator)) : [],
    );
  };

  return reacting<ScanEvent | CreatorEvent>(SCAN_PLACES, {
    'scan.completed.v1': free,
    'scan.failed.v1': free,
    'scan.cancelled.v1': free,
    'creator.protectionPaused.v1': cancelEarlier,
    'creator.personalDataErased.v1': cancelEarlier,
  });
};
