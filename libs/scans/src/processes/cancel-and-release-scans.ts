import { Injectable } from '@nestjs/common';
import { CreatorAccess, type CreatorEvent } from '#creators';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { scanCancellation } from '../application/advance-scan.js';
import { ScanQueue } from '../application/queue-scan.js';
import { ScanAllowanceRepository, ScanRepository } from '../application/scans.repository.js';
import type { ScanEvent } from '../domain/scan.events.js';
import { cancelQueuedScan } from '../domain/scan.js';
import { releaseScan } from '../domain/scan-allowance.js';

export const CANCEL_AND_RELEASE_SCANS = 'cancel-and-release-scans';
const FORMER_NAME = 'scan-places';

type ScanEnded = Extract<ScanEvent, { type: 'scan.completed.v1' | 'scan.failed.v1' | 'scan.cancelled.v1' }>;

/** Each of its changes may be repeated. */
@Injectable()
export class CancelAndReleaseScans extends Reaction<ScanEvent | CreatorEvent> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly allowances: ScanAllowanceRepository,
    private readonly queue: ScanQueue,
    private readonly creators: CreatorAccess,
  ) {
    super(
      CANCEL_AND_RELEASE_SCANS,
      {
        'scan.completed.v1': (event) => this.release(event),
        'scan.failed.v1': (event) => this.release(event),
        'scan.cancelled.v1': (event) => this.release(event),
        'creator.protectionPaused.v1': (event) => this.cancelEarlier(event),
        'creator.personalDataErased.v1': (event) => this.cancelEarlier(event),
      },
      FORMER_NAME,
    );
  }

  private release(event: RecordedEvent<ScanEnded>): Promise<unknown> {
    const { creatorId, scanId } = event.data;
    return this.allowances.update(creatorId, contextOf(event), (state) => releaseScan(state, scanId, 'ended'));
  }

  /** Protection may have been activated again since: a scan that was queued after the event stays (D79). */
  private async cancelEarlier(event: RecordedEvent<CreatorEvent>): Promise<void> {
    const creatorId = streamId(event.stream) as CreatorId;
    const { pending } = await this.queue.loadAllowance(creatorId);
    if (pending?.state.status !== 'queued') return;
    const { state: creator } = await this.creators.recorded(creatorId);
    await this.scans.update(pending, contextOf(event), (scan, now, queuedAt) =>
      queuedAt < event.position ? cancelQueuedScan(scan, now, scanCancellation(creator)) : [],
    );
  }
}

const contextOf = ({ id, metadata }: RecordedEvent) =>
  processContext(CANCEL_AND_RELEASE_SCANS, metadata.workspaceId, { id, correlationId: metadata.correlationId });
