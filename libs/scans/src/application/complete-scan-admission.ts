import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CreatorId } from '#kernel';
import { isPending } from '../domain/scan.js';
import { releaseScan } from '../domain/scan-allowance.js';
import { ScanAllowanceRepository } from './scan-allowance.repository.js';
import { ScanQueue } from './scan-queue.js';

/** Whether the scan's own events make its next step due, or nothing is left to do. */
export type CompleteScanAdmissionResult = 'advanced' | 'nothing_left';

/** Opens the stream of the scan that was admitted, if a crash came between the two steps. */
export class CompleteScanAdmission extends Command<CompleteScanAdmissionResult> {
  constructor(
    readonly creatorId: CreatorId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CompleteScanAdmission)
export class CompleteScanAdmissionHandler implements ICommandHandler<CompleteScanAdmission> {
  constructor(
    private readonly allowances: ScanAllowanceRepository,
    private readonly queue: ScanQueue,
  ) {}

  async execute({ creatorId, context }: CompleteScanAdmission): Promise<CompleteScanAdmissionResult> {
    const allowance = await this.allowances.load(creatorId);
    const { pending } = allowance.state;
    // Admitted and released, because the scan's id belongs to another creator. The next admission changes the item.
    if (pending === null) return 'nothing_left';
    const { scan } = await this.queue.open(allowance, pending, context);
    if (isPending(scan)) return 'advanced';
    // A scheduled scan that was admitted a second time, after its end, is not pending.
    await this.allowances.update(allowance, context, (state) => releaseScan(state, scan.scanId, 'ended'));
    return 'nothing_left';
  }
}
