import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { CreatorAccess, type FoundCreator, isEligible, isFound } from '#creators';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DomainError,
  derivedId,
  type Instant,
  type TaskOutcome,
} from '#kernel';
import { ScansOptions } from './ports.js';
import { ScanQueue } from './queue-scan.js';
import { ScanRepository } from './scans.repository.js';

/** One interval after the activation, then after each due time (D49). The id derives from creator and due time. */
export class QueueScheduledScan extends Command<TaskOutcome> {
  constructor(
    readonly creatorId: CreatorId,
    /** The next due time by an earlier look; undefined for the first look since the activation. */
    readonly plannedFor: Instant | undefined,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(QueueScheduledScan)
export class QueueScheduledScanHandler implements ICommandHandler<QueueScheduledScan> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly queue: ScanQueue,
    private readonly creators: CreatorAccess,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
    private readonly options: ScansOptions,
  ) {}

  async execute({ creatorId, plannedFor, context }: QueueScheduledScan): Promise<TaskOutcome> {
    const now = this.clock.now();
    const found = await this.creators.recorded(creatorId);
    if (!isFound(found) || found.state.protection.status !== 'active') return 'idle';
    const { agencyId, protection } = found.state;
    const { last, next } = this.dueTimes(protection.since, plannedFor, now);
    if (last === undefined) return { retryAt: next };
    const denied = await this.access.deniedUntil(agencyId);
    if (denied !== undefined) return { retryAt: denied };
    await this.queueUnlessSkipped(found, last, context);
    return { retryAt: next };
  }

  /** The last due time that has passed (undefined before the first one), and the next. */
  private dueTimes(
    activatedAt: Instant,
    plannedFor: Instant | undefined,
    now: Instant,
  ): { readonly last: Instant | undefined; readonly next: Instant } {
    const { scheduleEvery } = this.options;
    const since = activatedAt <= now ? activatedAt : this.noticedAt(plannedFor, now);
    const intervals = Math.floor((now - since) / scheduleEvery);
    const next = since + (intervals + 1) * scheduleEvery;
    return { last: intervals < 1 ? undefined : next - scheduleEvery, next };
  }

  /** The clock was ahead at the activation, which counts as of the first look (D49). */
  private noticedAt(plannedFor: Instant | undefined, now: Instant): Instant {
    const { scheduleEvery } = this.options;
    const isPlanned = plannedFor !== undefined && plannedFor <= now + scheduleEvery;
    return isPlanned ? plannedFor - scheduleEvery : now;
  }

  /** Skipped while the creator is not eligible or another scan is pending, or if no engine is configured. */
  private async queueUnlessSkipped(found: FoundCreator, dueAt: Instant, context: CommandContext): Promise<void> {
    const creatorId = found.id;
    const scan = this.scans.assumeNew(derivedId('scan', creatorId, 'scheduled', dueAt));
    try {
      const { state: creator } = await this.creators.refreshed(found, context);
      // One that is seen again is paused if the platform has no slot for it (D77).
      if (creator.protection.status !== 'active' || !isEligible(creator, this.clock.now())) return;
      // Not while the platform is asked: else a pending scan that ends until then would skip this one for an interval.
      const allowance = await this.queue.loadAllowance(creatorId);
      await this.queue.queue(creator, scan, allowance, 'scheduled', context);
    } catch (error) {
      const isSkipped = error instanceof DomainError && SKIPPED.has(error.code);
      if (!isSkipped) throw error;
    }
  }
}

const SKIPPED: ReadonlySet<string> = new Set(['not_found', 'scan_in_progress', 'svc_engine_not_configured']);
