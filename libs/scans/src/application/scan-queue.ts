import { Injectable } from '@nestjs/common';
import type { EnrolledCreator } from '#creators';
import { type CommandContext, type CreatorId, DomainError, holds } from '#kernel';
import { isKnown, isPending, type KnownScan, queueScan } from '../domain/scan.js';
import { admitScan, releaseScan, type ScanReservation, type ScanSource } from '../domain/scan-allowance.js';
import { type LoadedScan, ScanRepository } from './scan.repository.js';
import { type LoadedScanAllowance, ScanAllowanceRepository } from './scan-allowance.repository.js';
import { ScanEngine } from './scan-engine.js';

export interface QueueScanResult {
  readonly scan: KnownScan;
  readonly isNew: boolean;
}

/** What decides whether a scan may be pending: the allowance, and the stream of the scan that is pending now. */
export interface AllowanceWithPendingScan {
  readonly allowance: LoadedScanAllowance;
  readonly pending: LoadedScan<KnownScan> | undefined;
}

/** Queues scans: admits the scan under the creator's allowance, then opens the scan's own stream. */
@Injectable()
export class ScanQueue {
  constructor(
    private readonly scans: ScanRepository,
    private readonly allowances: ScanAllowanceRepository,
    private readonly engine: ScanEngine,
  ) {}

  /** Opens the stream of an admitted scan: the second step, also after a crash between the two. */
  async open(
    allowance: LoadedScanAllowance,
    { scanId, creatorId, agencyId, source }: ScanReservation,
    context: CommandContext,
    scan: LoadedScan = this.scans.assumeNew(scanId),
  ): Promise<QueueScanResult> {
    if (context.workspaceId === null) throw unexpected(`${scanId} has no workspace`);
    const order = { scanId, creatorId, agencyId, source, workspaceId: context.workspaceId };
    try {
      const { state, events } = await this.scans.update(scan, context, (current) => queueScan(current, order));
      if (!isKnown(state)) throw unexpected(`${scanId} was queued, and is unknown`);
      return { scan: state, isNew: events.length > 0 };
    } catch (error) {
      const isConflict = error instanceof DomainError && error.code === 'idempotency_conflict';
      if (isConflict)
        await this.allowances.update(allowance, context, (state) => releaseScan(state, scanId, 'conflict'));
      throw error;
    }
  }

  async loadAllowance(creatorId: CreatorId): Promise<AllowanceWithPendingScan> {
    const allowance = await this.allowances.load(creatorId);
    const scanId = allowance.state.pending?.scanId;
    const scan = scanId && (await this.scans.load(scanId));
    return { allowance, pending: scan && holds(scan, isKnown) ? scan : undefined };
  }

  async queue(
    { creatorId, agencyId }: EnrolledCreator,
    scan: LoadedScan,
    { allowance, pending }: AllowanceWithPendingScan,
    source: ScanSource,
    context: CommandContext,
  ): Promise<QueueScanResult> {
    if (!this.engine.configured) throw new DomainError('svc_engine_not_configured');
    const admission = { scanId: scan.id, creatorId, agencyId, source };
    const ended = pending !== undefined && !isPending(pending.state) ? pending.id : undefined;
    const admitted = await this.allowances.update(allowance, context, (state, now) =>
      admitScan(state, admission, ended, now),
    );
    return this.open(admitted, admission, context, scan);
  }
}

const unexpected = (message: string) => new DomainError('internal_error', { cause: new Error(message) });
