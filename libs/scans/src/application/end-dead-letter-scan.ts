import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ClockWatch, endDeadLetter, TaskCommand } from '#jobs';
import type { ScanId, TaskOutcome } from '#kernel';
import { endDeadLetterScan } from '../domain/scan.js';
import { ScanRepository } from './scan.repository.js';

/** Ends a scan whose due work was set aside, now or when it has been uncertain for 72 hours (D87). */
export class EndDeadLetterScan extends TaskCommand<ScanId> {}

@CommandHandler(EndDeadLetterScan)
export class EndDeadLetterScanHandler implements ICommandHandler<EndDeadLetterScan> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly clocks: ClockWatch,
  ) {}

  execute({ subject: scanId, context }: EndDeadLetterScan): Promise<TaskOutcome> {
    return endDeadLetter(scanId, context, {
      repository: this.scans,
      end: endDeadLetterScan,
      isUncertain: ({ status }) => status === 'uncertain',
      clocks: this.clocks,
    });
  }
}
