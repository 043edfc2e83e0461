import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ClockWatch, DueCommand, endSetAside } from '#jobs';
import type { DueOutcome, ScanId } from '#kernel';
import { endSetAsideScan } from '../domain/scan.js';
import { ScanRepository } from './scan.repository.js';

/** Ends a scan whose due work was set aside, now or when it has been uncertain for 72 hours (D87). */
export class EndSetAsideScan extends DueCommand<ScanId> {}

@CommandHandler(EndSetAsideScan)
export class EndSetAsideScanHandler implements ICommandHandler<EndSetAsideScan> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly clocks: ClockWatch,
  ) {}

  execute({ subject: scanId, context }: EndSetAsideScan): Promise<DueOutcome> {
    return endSetAside(scanId, context, {
      repository: this.scans,
      end: endSetAsideScan,
      isUncertain: ({ status }) => status === 'uncertain',
      clocks: this.clocks,
    });
  }
}
