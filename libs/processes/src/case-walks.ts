import type { AgencyAccess } from '#agencies';
import type { CaseSynchronisation, ImpersonationSynchronisation } from '#cases';
import { type Creators, hasLeft } from '#creators';
import { type CreatorId, type DueHandler, type Duration, HOUR } from '#kernel';
import { deniedUntil } from './agency-gate.js';
import { roundContext } from './due-context.js';

/**
 * Walks all of a creator's leak and impersonation records, again and again: only such a walk observes that one is gone
 * (D50, D54).
 */
export const caseWalks = (
  creators: Creators,
  cases: CaseSynchronisation,
  impersonations: ImpersonationSynchronisation,
  access: AgencyAccess,
  every: Duration,
): DueHandler => ({
  kind: 'caseWalk',
  concurrency: 2,
  // One creator's records may be very many, and no second walk may begin meanwhile.
  ttl: HOUR,
  async handle(item, now) {
    const context = roundContext(item);
    const creator = await creators.load(item.subject as CreatorId);
    if (creator.status === 'unknown' || creator.userId === null) return 'moved_on';
    if (hasLeft(creator)) return 'moved_on';
    const { creatorId, agencyId, workspaceId, userId } = creator;
    const linked = { creatorId, agencyId, workspaceId, userId };
    const denied = await deniedUntil(access, agencyId, now);
    if (denied !== undefined) return { again: denied };
    const isMember =
      (await cases.walk(linked, context)) === 'synchronised' &&
      (await impersonations.walk(linked, context)) === 'synchronised';
    if (!isMember) await creators.recordMissing(creatorId, context, now);
    return { again: now + every };
  },
});
