import { type AgencyAccess, deniedUntil } from '#agencies';
import { type Creators, isAccessible, isEligible } from '#creators';
import { roundContext } from '#jobs';
import { type CreatorId, DomainError, type DueHandler, type Duration } from '#kernel';
import type { Scans } from '../application/scans.js';

/** Queues a scan for each active creator, one interval after its activation and after each due time (D49). */
export const scheduledScans = (
  creators: Creators,
  scans: Scans,
  access: AgencyAccess,
  every: Duration,
): DueHandler => ({
  kind: 'scheduledScan',
  concurrency: 8,
  async handle(item, now) {
    const context = roundContext(item);
    const creator = await creators.load(item.subject as CreatorId);
    if (creator.status === 'unknown' || creator.protection.status !== 'active') return 'idle';
    const { since } = creator.protection;
    const intervals = Math.floor((now - since) / every);
    const next = { retryAt: since + (intervals + 1) * every };
    if (intervals < 1) return next;
    const denied = await deniedUntil(access, creator.agencyId, now);
    if (denied !== undefined) return { retryAt: denied };
    const seen = await creators.refresh(creator, context, null);
    if (!isAccessible(seen) || !isEligible(seen, now)) return next;
    try {
      await scans.queueScheduled(seen, since + intervals * every, context);
    } catch (error) {
      // Skipped while another is pending, or while there is no engine to ask.
      const isSkipped = error instanceof DomainError && SKIPPED.has(error.code);
      if (!isSkipped) throw error;
    }
    return next;
  },
});

const SKIPPED: ReadonlySet<string> = new Set(['scan_in_progress', 'svc_engine_not_configured']);
