import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CreatorEvent } from '#creators';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { CancelQueuedScan } from '../application/cancel-queued-scan.js';
import { ReleaseScan } from '../application/release-scan.js';
import type { ScanEvent } from '../domain/scan.events.js';

export const CANCEL_AND_RELEASE_SCANS = 'cancel-and-release-scans';
const FORMER_NAME = 'scan-places';

type ScanEnded = Extract<ScanEvent, { type: 'scan.completed.v1' | 'scan.failed.v1' | 'scan.cancelled.v1' }>;

/**
 * Cancels a creator's queued scan when its protection is paused or its data erased, and releases it from the allowance when
 * it has ended.
 */
@Injectable()
export class CancelAndReleaseScans extends Reaction<ScanEvent | CreatorEvent> {
  constructor(private readonly commands: CommandBus) {
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

  private release(event: RecordedEvent<ScanEnded>): Promise<void> {
    const { creatorId, scanId } = event.data;
    return this.commands.execute(new ReleaseScan(creatorId, scanId, contextOf(event)));
  }

  private cancelEarlier(event: RecordedEvent<CreatorEvent>): Promise<void> {
    const creatorId = streamId(event.stream) as CreatorId;
    return this.commands.execute(new CancelQueuedScan(creatorId, event.position, contextOf(event)));
  }
}

const contextOf = ({ id, metadata }: RecordedEvent) =>
  processContext(CANCEL_AND_RELEASE_SCANS, metadata.workspaceId, { id, correlationId: metadata.correlationId });
