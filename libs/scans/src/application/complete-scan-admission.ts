import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { TaskCommand } from '#jobs';
import type { CreatorId, TaskOutcome } from '#kernel';
import { isPending } from '../domain/scan.js';
import { releaseScan } from '../domain/scan-allowance.js';
import { ScanAllowanceRepository } from './scan-allowance.repository.js';
import { ScanQueue } from './scan-queue.js';

/** Opens the stream of the scan that was admitted, if a crash came between the two steps. */
export class CompleteScanAdmission extends TaskCommand<CreatorId> {}

@CommandHandler(CompleteScanAdmission)
export class CompleteScanAdmissionHandler implements ICommandHandler<CompleteScanAdmission> {
  constructor(
    private readonly allowances: ScanAllowanceRepository,
    private readonly queue: ScanQueue,
  ) {}

  async execute({ subject: creatorId, context }: CompleteScanAdmission): Promise<TaskOutcome> {
    const allowance = await this.allowances.load(creatorId);
    const { pending } = allowance.state;
    // Admitted and released, because the scan's id belongs to another creator. The next admission changes the item.
    if (pending === null) return 'idle';
    const { scan } = await this.queue.open(allowance, pending, context);
    if (isPending(scan)) return 'done'; // The scan's own events make the next step due.
    // A scheduled scan that was admitted a second time, after its end, is not pending.
    await this.allowances.update(allowance, context, (state) => releaseScan(state, scan.scanId, 'ended'));
    return 'idle';
  }
}
