import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CreatorAccess } from '#creators';
import type { CommandContext, CreatorId, Position } from '#kernel';
import { cancelQueuedScan } from '../domain/scan.js';
import { ScanRepository } from './scan.repository.js';
import { scanCancellation } from './scan-cancellation.js';
import { ScanQueue } from './scan-queue.js';

/** If it is still queued, and was queued before that position: protection may have been activated since (D79). */
export class CancelQueuedScan extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly queuedBefore: Position,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CancelQueuedScan)
export class CancelQueuedScanHandler implements ICommandHandler<CancelQueuedScan> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly queue: ScanQueue,
    private readonly creators: CreatorAccess,
  ) {}

  async execute({ creatorId, queuedBefore, context }: CancelQueuedScan): Promise<void> {
    const { pending } = await this.queue.loadAllowance(creatorId);
    if (pending?.state.status !== 'queued') return;
    const creator = (await this.creators.recorded(creatorId)).state;
    await this.scans.update(pending, context, (scan, now, queuedAt) =>
      queuedAt < queuedBefore ? cancelQueuedScan(scan, now, scanCancellation(creator)) : [],
    );
  }
}
