import { Injectable } from '@nestjs/common';
import type { EnrolledCreator } from '#creators';
import { isInfrastructureFailure } from '#jobs';
import { Clock, type CommandContext, type CreatorId, DomainError, holds, type ScanId } from '#kernel';
import { isKnown, isPending, type KnownScan, queueScan } from '../domain/scan.js';
import { admitScan, releaseScan, type ScanReservation, type ScanSource } from '../domain/scan-allowance.js';
import { type LoadedScan, ScanRepository } from './scan.repository.js';
import { type LoadedScanAllowance, ScanAllowanceRepository } from './scan-allowance.repository.js';
import { ScanEngine } from './scan-engine.js';
import { UnreadableScans } from './unreadable-scans.js';

export interface QueueScanResult {
  readonly scan: KnownScan;
  readonly isNew: boolean;
}

export interface AllowanceWithPendingScan {
  readonly allowance: LoadedScanAllowance;
  readonly pending: LoadedScan<KnownScan> | undefined;
  /** The pending scan's stream cannot be read, and it counts as ended (D87). */
  readonly ended: ScanId | undefined;
}

/** Queues scans: admits the scan under the creator's allowance, then opens the scan's own stream. */
@Injectable()
export class ScanQueue {
  constructor(
    private readonly scans: ScanRepository,
    private readonly allowances: ScanAllowanceRepository,
    private readonly engine: ScanEngine,
    private readonly unreadable: UnreadableScans,
    private readonly clock: Clock,
  ) {}

  /** Opens the stream of an admitted scan: the second step, also after a crash between the two. */
  async open(
    allowance: LoadedScanAllowance,
    { scanId, creatorId, agencyId, source }: ScanReservation,
    context: CommandContext,
    scan: LoadedScan = this.scans.assumeNew(scanId),
  ): Promise<QueueScanResult> {
    if (context.workspaceId === null) throw new Error(`${scanId} has no workspace`);
    const order = { scanId, creatorId, agencyId, source, workspaceId: context.workspaceId };
    try {
      const { state, events } = await this.scans.update(scan, context, (current) => queueScan(current, order));
      if (!isKnown(state)) throw new Error(`${scanId} was queued, and is unknown`);
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
    const scan = scanId && (await this.readable(scanId));
    if (typeof scan === 'object')
      return { allowance, pending: holds(scan, isKnown) ? scan : undefined, ended: undefined };
    return { allowance, pending: undefined, ended: scan === 'ended' ? scanId : undefined };
  }

  /** What it counts as if it is set aside and cannot be read. */
  private async readable(scanId: ScanId): Promise<LoadedScan | 'pending' | 'ended'> {
    try {
      return await this.scans.load(scanId);
    } catch (error) {
      const status = isInfrastructureFailure(error) ? undefined : await this.unreadable.statusOf(scanId);
      if (status === undefined) throw error;
      return status;
    }
  }

  async queue(
    { creatorId, agencyId }: EnrolledCreator,
    scan: LoadedScan,
    { allowance, pending, ended: unreadable }: AllowanceWithPendingScan,
    source: ScanSource,
    context: CommandContext,
  ): Promise<QueueScanResult> {
    if (!this.engine.configured) throw new DomainError('svc_engine_not_configured');
    const admission = { scanId: scan.id, creatorId, agencyId, source };
    const ended = pending !== undefined && !isPending(pending.state) ? pending.id : unreadable;
    const admitted = await this.allowances.update(allowance, context, (state) =>
      admitScan(state, admission, ended, this.clock.now()),
    );
    return this.open(admitted, admission, context, scan);
  }
}
