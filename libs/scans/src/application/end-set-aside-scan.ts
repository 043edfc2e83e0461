import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ADVANCED, NOTHING_LEFT, postponed, type StepResult } from '#jobs';
import type { CommandContext, ScanId } from '#kernel';
import { endSetAsideScan, SCAN_TIMEOUT } from '../domain/scan.js';
import { ScanRepository } from './scan.repository.js';

/** Ends a scan whose due work was set aside, now or when it has been uncertain for 72 hours (D87). */
export class EndSetAsideScan extends Command<StepResult> {
  constructor(
    readonly scanId: ScanId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(EndSetAsideScan)
export class EndSetAsideScanHandler implements ICommandHandler<EndSetAsideScan> {
  constructor(private readonly scans: ScanRepository) {}

  async execute({ scanId, context }: EndSetAsideScan): Promise<StepResult> {
    const { state, events } = await this.scans.update(scanId, context, endSetAsideScan);
    if (events.length > 0) return ADVANCED;
    return state.status === 'uncertain' ? postponed(state.uncertainSince + SCAN_TIMEOUT) : NOTHING_LEFT;
  }
}
