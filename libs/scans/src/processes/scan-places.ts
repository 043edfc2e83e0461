import { Injectable } from '@nestjs/common';
import { CreatorAccess, type CreatorEvent } from '#creators';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { ScanRepository } from '../application/scan.repository.js';
import { scanCancellation } from '../application/scan-cancellation.js';
import { ScanQueue } from '../application/scan-queue.js';
import type { ScanEvent } from '../domain/scan.events.js';
import { cancelQueuedScan } from '../domain/scan.js';

export const SCAN_PLACES = 'scan-places';

type ScanEnded = Extract<ScanEvent, { type: 'scan.completed.v1' | 'scan.failed.v1' | 'scan.cancelled.v1' }>;

/** Frees a creator's place when its scan has ended, and cancels what still waits when protection is paused. */
@Injectable()
export class ScanPlaces extends Reaction<ScanEvent | CreatorEvent> {
  constructor(
    private readonly repository: ScanRepository,
    private readonly scans: ScanQueue,
    private readonly creators: CreatorAccess,
  ) {
    super(SCAN_PLACES, {
      'scan.completed.v1': (event) => this.free(event),
      'scan.failed.v1': (event) => this.free(event),
      'scan.cancelled.v1': (event) => this.free(event),
      'creator.protectionPaused.v1': (event) => this.cancelEarlier(event),
      'creator.personalDataErased.v1': (event) => this.cancelEarlier(event),
    });
  }

  private free(event: RecordedEvent<ScanEnded>): Promise<void> {
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
  processContext(SCAN_PLACES, metadata.workspaceId, { id, correlationId: metadata.correlationId });
