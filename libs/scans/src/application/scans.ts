import { Injectable } from '@nestjs/common';
import { type AgencyScope, Creators, type EnrolledCreator, isEligible, requireWritable } from '#creators';
import {
  type CommandContext,
  CommandRunner,
  type CreatorId,
  DomainError,
  derivedId,
  type Instant,
  type ScanId,
} from '#kernel';
import { isPending, type KnownScan, queueScan, type Scan, scanDecider } from '../domain/scan.js';
import {
  type Admission,
  admitScan,
  releaseScan,
  type ScanSource,
  scanAllowanceDecider,
} from '../domain/scan-allowance.js';
import { ScanEngine } from './ports.js';

export interface Queued {
  readonly scan: KnownScan;
  readonly isNew: boolean;
}

/** Queues scans: takes the creator's place in its allowance, then opens the scan's own stream. */
@Injectable()
export class Scans {
  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly engine: ScanEngine,
  ) {}

  async load(scanId: ScanId): Promise<Scan> {
    return (await this.runner.load(scanDecider, scanId)).state;
  }

  /** The scan, if this agency can see it and its creator, else `not_found` (D9). */
  async accessible(scanId: ScanId, scope: AgencyScope, context: CommandContext): Promise<KnownScan> {
    const scan = await this.load(scanId);
    if (scan.status === 'unknown' || scan.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    await this.creators.confirmedMember(scan.creatorId, scope, context);
    return scan;
  }

  /**
   * A manual scan. The key names the scan, so that a repeat finds it before any gate (D45): one read of the platform
   * and two appends for a new one, none for a repeat.
   */
  async queueManual(
    creatorId: CreatorId,
    scope: AgencyScope,
    idempotencyKey: string,
    context: CommandContext,
  ): Promise<Queued> {
    const creator = await this.creators.accessible(creatorId, scope, context);
    const scanId = derivedId('scan', scope.agencyId, 'manual', idempotencyKey);
    const earlier = await this.load(scanId);
    if (earlier.status !== 'unknown') {
      if (earlier.creatorId !== creatorId) throw new DomainError('idempotency_conflict');
      return { scan: earlier, isNew: false };
    }
    requireWritable(creator.state, scope.epoch);
    if (creator.state.protection.status !== 'active') throw new DomainError('creator_not_eligible');
    const { state: seen } = await this.creators.refreshed(creator, context);
    if (!isEligible(seen, this.runner.now())) throw new DomainError('creator_not_eligible');
    return this.queue(seen, scanId, 'manual', context);
  }

  /** A scheduled scan, named by creator and due time, so that it is queued once (D49). */
  queueScheduled(creator: EnrolledCreator, dueAt: Instant, context: CommandContext): Promise<Queued> {
    return this.queue(creator, derivedId('scan', creator.creatorId, 'scheduled', dueAt), 'scheduled', context);
  }

  /** Opens the stream of a scan that was admitted: the second step, also after a crash between the two. */
  async open({ scanId, creatorId, agencyId, source }: Admission, context: CommandContext): Promise<Queued> {
    if (context.workspaceId === null) throw new DomainError('internal_error');
    const order = { scanId, creatorId, agencyId, source, workspaceId: context.workspaceId };
    try {
      const { state, events } = await this.runner.run(scanDecider, scanId, context, (scan) => queueScan(scan, order));
      if (state.status === 'unknown') throw new DomainError('internal_error');
      return { scan: state, isNew: events.length > 0 };
    } catch (error) {
      const isConflict = error instanceof DomainError && error.code === 'idempotency_conflict';
      if (isConflict) await this.release(creatorId, scanId, 'conflict', context);
      throw error;
    }
  }

  async release(
    creatorId: CreatorId,
    scanId: ScanId,
    outcome: 'ended' | 'conflict',
    context: CommandContext,
  ): Promise<void> {
    await this.runner.run(scanAllowanceDecider, creatorId, context, (state) => releaseScan(state, scanId, outcome));
  }

  /** The creator's pending scan as its own stream has it. */
  async pendingOf(creatorId: CreatorId): Promise<KnownScan | undefined> {
    const { state } = await this.runner.load(scanAllowanceDecider, creatorId);
    const scan = state.pending === null ? undefined : await this.load(state.pending.scanId);
    return scan === undefined || scan.status === 'unknown' ? undefined : scan;
  }

  private async queue(
    { creatorId, agencyId }: EnrolledCreator,
    scanId: ScanId,
    source: ScanSource,
    context: CommandContext,
  ): Promise<Queued> {
    if (!this.engine.configured) throw new DomainError('svc_engine_not_configured');
    const admission = { scanId, creatorId, agencyId, source };
    const pending = await this.pendingOf(creatorId);
    const ended = pending !== undefined && !isPending(pending) ? pending.scanId : undefined;
    await this.runner.run(scanAllowanceDecider, creatorId, context, (state, now) =>
      admitScan(state, admission, ended, now),
    );
    return this.open(admission, context);
  }
}
