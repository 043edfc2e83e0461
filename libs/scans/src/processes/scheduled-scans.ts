import { Injectable } from '@nestjs/common';
import { AgencyAccess, deniedUntil } from '#agencies';
import { CreatorAccess, isAccessible, isEligible, isFound } from '#creators';
import { roundContext } from '#jobs';
import {
  type CreatorId,
  DomainError,
  type DueHandler,
  type DueOutcome,
  type Instant,
  type StoredDueItem,
} from '#kernel';
import { ScanQueue } from '../application/scan-queue.js';
import { ScansOptions } from '../scans.options.js';

/** Queues a scan for each active creator, one interval after its activation and after each due time (D49). */
@Injectable()
export class ScheduledScans implements DueHandler {
  readonly kind = 'scheduledScan';
  readonly concurrency = 8;

  constructor(
    private readonly creators: CreatorAccess,
    private readonly scans: ScanQueue,
    private readonly access: AgencyAccess,
    private readonly options: ScansOptions,
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const context = roundContext(item);
    const found = await this.creators.find(item.subject as CreatorId);
    if (!isFound(found) || found.state.protection.status !== 'active') return 'idle';
    const { agencyId, protection } = found.state;
    const { since } = protection;
    const { scheduleEvery } = this.options;
    const intervals = Math.floor((now - since) / scheduleEvery);
    const next = { retryAt: since + (intervals + 1) * scheduleEvery };
    if (intervals < 1) return next;
    const denied = await deniedUntil(this.access, agencyId, now);
    if (denied !== undefined) return { retryAt: denied };
    const { state: seen } = await this.creators.refresh(found, context, null);
    if (!isAccessible(seen) || !isEligible(seen, now)) return next;
    try {
      await this.scans.queueScheduled(seen, since + intervals * scheduleEvery, context);
    } catch (error) {
      // Skipped while another scan is pending, or if no engine is configured.
      const isSkipped = error instanceof DomainError && SKIPPED.has(error.code);
      if (!isSkipped) throw error;
    }
    return next;
  }
}

const SKIPPED: ReadonlySet<string> = new Set(['scan_in_progress', 'svc_engine_not_configured']);
