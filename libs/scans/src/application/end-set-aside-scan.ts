import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DueCommand } from '#jobs';
import { type DueOutcome, ORDER_TIMEOUT, type ScanId } from '#kernel';
import { endSetAsideScan } from '../domain/scan.js';
import { ScanRepository } from './scan.repository.js';

/** Ends a scan whose due work was set aside, now or when it has been uncertain for 72 hours (D87). */
export class EndSetAsideScan extends DueCommand<ScanId> {}

@CommandHandler(EndSetAsideScan)
export class EndSetAsideScanHandler implements ICommandHandler<EndSetAsideScan> {
  constructor(private readonly scans: ScanRepository) {}

  async execute({ subject: scanId, context }: EndSetAsideScan): Promise<DueOutcome> {
    const { state, events } = await this.scans.update(scanId, context, endSetAsideScan);
    if (events.length > 0) return 'done';
    return state.status === 'uncertain' ? { retryAt: state.uncertainSince + ORDER_TIMEOUT } : 'idle';
  }
}
