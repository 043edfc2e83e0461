import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess, type EnrolledCreator, isEligible, requireWritable } from '#creators';
import { DeadLetters, isInfrastructureFailure, TaskCommand } from '#jobs';
import {
  Clock,
  ClockWatch,
  type CommandContext,
  type CreatorId,
  DomainError,
  derivedId,
  EventLog,
  holds,
  OUTCOME_TIMEOUT,
  requireVisibleKey,
  type ScanId,
  type StreamName,
  streamName,
  type TaskOutcome,
} from '#kernel';
import { isKnown, isPending, type KnownScan, queueScan, scanDecider } from '../domain/scan.js';
import { admitScan, releaseScan, type ScanReservation, type ScanSource } from '../domain/scan-allowance.js';
import { ScanEngine } from './ports.js';
import {
  type LoadedScan,
  type LoadedScanAllowance,
  ScanAllowanceRepository,
  ScanRepository,
} from './scans.repository.js';

export interface QueueScanResult {
  readonly scan: KnownScan;
  readonly isNew: boolean;
}

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

interface AllowanceWithPendingScan {
  readonly allowance: LoadedScanAllowance;
  readonly pending: LoadedScan<KnownScan> | undefined;
  /** The pending scan's stream cannot be read, and it counts as ended (D87). */
  readonly ended: ScanId | undefined;
}

@Injectable()
export class ScanQueue {
  constructor(
    private readonly scans: ScanRepository,
    private readonly allowances: ScanAllowanceRepository,
    private readonly engine: ScanEngine,
    private readonly log: EventLog,
    private readonly deadLetters: DeadLetters,
    private readonly clocks: ClockWatch,
    private readonly clock: Clock,
  ) {}

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

  /** The second step, also after a crash between the two. */
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

  private async readable(scanId: ScanId): Promise<LoadedScan | 'pending' | 'ended'> {
    try {
      return await this.scans.load(scanId);
    } catch (error) {
      const status = isInfrastructureFailure(error) ? undefined : await this.statusOfUnreadable(scanId);
      if (status === undefined) throw error;
      return status;
    }
  }

  /** Ended if it was never sent, or was set aside 72 hours ago (D87). Undefined if it is not set aside. */
  private async statusOfUnreadable(scanId: ScanId): Promise<'pending' | 'ended' | undefined> {
    const stream = streamName(scanDecider.category, scanId);
    const deadLetter = await this.deadLetters.ofTask(stream);
    if (deadLetter === undefined) return undefined;
    const isOver = this.clocks.remainingFor(deadLetter, OUTCOME_TIMEOUT) === 0;
    return !isOver && (await this.mayHaveBeenSent(stream)) ? 'pending' : 'ended';
  }

  /** The intent to send it is the second event. An event that cannot be read may be that. */
  private async mayHaveBeenSent(stream: StreamName): Promise<boolean> {
    const second = this.log.readStream(stream, { from: 1, limit: 1 });
    return second.then(
      ({ length }) => length > 0,
      () => true,
    );
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
      this.creators.refreshed(creator, context),
      this.queue.loadAllowance(creatorId),
    ]);
    if (!isEligible(seen, this.clock.now())) throw new DomainError('creator_not_eligible');
    return this.queue.queue(seen, scan, allowance, 'manual', context);
  }
}

/** Opens the stream of the scan that was admitted, if a crash came between the two steps. */
export class CompleteScanAdmission extends TaskCommand<CreatorId> {}

@CommandHandler(CompleteScanAdmission)
export class CompleteScanAdmissionHandler implements ICommandHandler<CompleteScanAdmission> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly allowances: ScanAllowanceRepository,
    private readonly queue: ScanQueue,
  ) {}

  async execute({ subject: creatorId, context, isSetAside }: CompleteScanAdmission): Promise<TaskOutcome> {
    const allowance = await this.allowances.load(creatorId);
    const { pending } = allowance.state;
    // Admitted and released, because the scan's id belongs to another creator. The next admission changes the item.
    if (pending === null) return 'idle';
    const release = (outcome: 'ended' | 'conflict') =>
      this.allowances.update(allowance, context, (state) => releaseScan(state, pending.scanId, outcome));
    if (isSetAside) {
      // It was never sent, and does not count, so that a repeat of the request is admitted again (D87).
      const { state: scan } = await this.scans.load(pending.scanId);
      if (!isPending(scan)) await release(isKnown(scan) ? 'ended' : 'conflict');
      return 'idle';
    }
    const { scan } = await this.queue.open(allowance, pending, context);
    if (isPending(scan)) return 'done'; // The scan's own events make the next step due.
    // A scheduled scan that was admitted a second time, after its end, is not pending.
    await release('ended');
    return 'idle';
  }
}
