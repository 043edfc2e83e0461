import { Injectable } from '@nestjs/common';
import { CreatorAccess, type CreatorEvent } from '#creators';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { ScanRepository } from '../application/scan.repository.js';
import { scanCancellation } from '../application/scan-cancellation.js';
import { ScanQueue } from '../application/scan-queue.js';
import type { ScanEvent } from '../domain/scan.events.js';
import { cancelQueuedScan } from '../domain/scan.js';

/** Stored with its checkpoint and in metadata of events, so it stays. */
export const CANCEL_AND_RELEASE_SCANS = 'scan-places';

type ScanEnded = Extract<ScanEvent, { type: 'scan.completed.v1' | 'scan.failed.v1' | 'scan.cancelled.v1' }>;

/**
 * Cancels a creator's queued scan when its protection is paused or its data erased, and releases its place in the allowance
 * when its scan has ended.
 */
@Injectable()
export class CancelAndReleaseScans extends Reaction<ScanEvent | CreatorEvent> {
  constructor(
    private readonly repository: ScanRepository,
    private readonly scans: ScanQueue,
    private readonly creators: CreatorAccess,
  ) {
    super(CANCEL_AND_RELEASE_SCANS, {
      'scan.completed.v1': (event) => this.release(event),
      'scan.failed.v1': (event) => this.release(event),
      'scan.cancelled.v1': (event) => this.release(event),
      'creator.protectionPaused.v1': (event) => this.cancelEarlier(event),
      'creator.personalDataErased.v1': (event) => this.cancelEarlier(event),
    });
  }

  private release(event: RecordedEvent<ScanEnded>): Promise<void> {
    return this.scans.release(event.data.creatorId, event.data.scanId, 'ended', contextOf(event));
  }

  /** D79: what was queued before the pause, by position in the log; protection may have been activated since. */
  private async cancelEarlier(event: RecordedEvent<CreatorEvent>): Promise<void> {
    const creatorId = streamId(event.stream) as CreatorId;
    const { pending } = await this.scans.placeOf(creatorId);
    if (pending?.state.status !== 'queued') return;
    const creator = await this.creators.load(creatorId);
    await this.repository.update(pending, contextOf(event), (scan, now, queuedAt) =>
      queuedAt < event.position ? cancelQueuedScan(scan, now, scanCancellation(creator)) : [],
    );
  }
}

const contextOf = ({ id, metadata }: RecordedEvent) =>
  processContext(CANCEL_AND_RELEASE_SCANS, metadata.workspaceId, { id, correlationId: metadata.correlationId });
