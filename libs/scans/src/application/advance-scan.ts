import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { TaskCommand } from '#jobs';
import { advanceOrder, Clock, holds, type ScanId, type TaskOutcome } from '#kernel';
import { isPending } from '../domain/scan.js';
import { ScanRepository } from './scan.repository.js';
import { ScanOrders } from './scan-orders.js';

/** One step for each run of the job: dispatches the scan, follows its job, or settles its outcome (D47, D48). */
export class AdvanceScan extends TaskCommand<ScanId> {}

@CommandHandler(AdvanceScan)
export class AdvanceScanHandler implements ICommandHandler<AdvanceScan> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly orders: ScanOrders,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ subject: scanId, context }: AdvanceScan): Promise<TaskOutcome> {
    const scan = await this.scans.load(scanId);
    if (!holds(scan, isPending)) return 'idle';
    const denied = await this.access.deniedUntil(scan.state.agencyId);
    return advanceOrder(this.scans, scan, context, this.clock, denied, this.orders.of(scan, context));
  }
}
