import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { GetScan, QueueScan } from './application/commands.js';
import { type QueueScanResult, Scans } from './application/scans.js';
import type { KnownScan } from './domain/scan.js';

@CommandHandler(QueueScan)
export class QueueScanHandler implements ICommandHandler<QueueScan, QueueScanResult> {
  constructor(private readonly scans: Scans) {}

  execute({ creatorId, scope, idempotencyKey, context }: QueueScan): Promise<QueueScanResult> {
    return this.scans.queueManual(creatorId, scope, idempotencyKey, context);
  }
}

@QueryHandler(GetScan)
export class GetScanHandler implements IQueryHandler<GetScan, KnownScan> {
  constructor(private readonly scans: Scans) {}

  execute({ scanId, scope, context }: GetScan): Promise<KnownScan> {
    return this.scans.accessible(scanId, scope, context);
  }
}

export const scanHandlers = [QueueScanHandler, GetScanHandler];
