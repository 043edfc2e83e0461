import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess, isEligible, requireWritable } from '#creators';
import { Clock, type CommandContext, type CreatorId, DomainError, derivedId, requireVisibleKey } from '#kernel';
import { isKnown } from '../domain/scan.js';
import { ScanRepository } from './scan.repository.js';
import { type QueueScanResult, ScanQueue } from './scan-queue.js';

/** The key determines the scan's id, so a repeat finds it before any gate (D45). One read of the platform, two appends. */
export class QueueScan extends Command<QueueScanResult> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly idempotencyKey: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(QueueScan)
export class QueueScanHandler implements ICommandHandler<QueueScan> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly queue: ScanQueue,
    private readonly creators: CreatorAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ creatorId, scope, idempotencyKey, context }: QueueScan): Promise<QueueScanResult> {
    const [creator, scan] = await Promise.all([
      this.creators.forWrite(creatorId, scope, context),
      this.scans.load(derivedId('scan', scope.agencyId, 'manual', idempotencyKey)),
    ]);
    if (isKnown(scan.state)) {
      if (scan.state.creatorId !== creatorId) throw new DomainError('idempotency_conflict');
      return { scan: scan.state, isNew: false };
    }
    requireVisibleKey(idempotencyKey);
    requireWritable(creator.state, scope.epoch);
    if (creator.state.protection.status !== 'active') throw new DomainError('creator_not_eligible');
    const [{ state: seen }, allowance] = await Promise.all([
      this.creators.current(creator, context),
      this.queue.loadAllowance(creatorId),
    ]);
    if (!isEligible(seen, this.clock.now())) throw new DomainError('creator_not_eligible');
    return this.queue.queue(seen, scan, allowance, 'manual', context);
  }
}
