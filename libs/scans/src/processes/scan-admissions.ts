import { Injectable } from '@nestjs/common';
import { dueContext } from '#jobs';
import { CommandRunner, type DueHandler, type DueOutcome, type StoredDueItem } from '#kernel';
import { Scans } from '../application/scans.js';
import { isPending } from '../domain/scan.js';
import { scanAllowanceDecider } from '../domain/scan-allowance.js';

/** Opens the scan that was admitted when a crash came before its own stream was begun. */
@Injectable()
export class ScanAdmissions implements DueHandler {
  readonly kind = 'admission';
  readonly concurrency = 8;

  constructor(
    private readonly runner: CommandRunner,
    private readonly scans: Scans,
  ) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const { state } = await this.runner.load(scanAllowanceDecider, item.subject);
    // Admitted and released without a scan of its own, as its id was another creator's: the next admission moves it on.
    if (state.pending === null) return 'idle';
    const context = dueContext(item);
    const { scan } = await this.scans.open(state.pending, context);
    // A scheduled scan that was admitted a second time, after its end, takes no place.
    if (isPending(scan)) return 'done';
    await this.scans.release(scan.creatorId, scan.scanId, 'ended', context);
    return 'idle';
  }
}
