import { Injectable } from '@nestjs/common';
import { dueContext } from '#jobs';
import { type CreatorId, type DueHandler, type DueOutcome, type StoredDueItem } from '#kernel';
import { ScanAllowanceRepository } from '../application/scan-allowance.repository.js';
import { ScanQueue } from '../application/scan-queue.js';
import { isPending } from '../domain/scan.js';

/** Opens the stream of an admitted scan after a crash between the two steps. */
@Injectable()
export class ScanAdmissions implements DueHandler {
  readonly kind = 'admission';
  readonly concurrency = 8;

  constructor(
    private readonly allowances: ScanAllowanceRepository,
    private readonly scans: ScanQueue,
  ) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const allowance = await this.allowances.load(item.subject as CreatorId);
    const { pending } = allowance.state;
    // Admitted and released, because the scan's id belongs to another creator. The next admission changes the item.
    if (pending === null) return 'idle';
    const context = dueContext(item);
    const { scan } = await this.scans.open(allowance, pending, context);
    // A scheduled scan that was admitted a second time, after its end, is not pending.
    if (isPending(scan)) return 'done';
    await this.scans.release(allowance, scan.scanId, 'ended', context);
    return 'idle';
  }
}
