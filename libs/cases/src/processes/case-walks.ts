import { type AgencyAccess, deniedUntil } from '#agencies';
import { type Creators, hasLeft, type LinkedCreator, type Memberships, type Synchronised } from '#creators';
import { roundContext } from '#jobs';
import {
  AgencyPermits,
  type Clock,
  type CommandContext,
  type CreatorId,
  type DueHandler,
  type Duration,
  NO_TIME_LIMIT,
  SECOND,
} from '#kernel';

/** Walks of one agency at a time: those of the others must not wait until all its creators' records are read. */
const WALKS_PER_AGENCY = 2;
/** How long a walk waits for its turn here before it makes room for other agencies, and how long it then stays away. */
const TURN_TIMEOUT: Duration = 200;
const TURNED_AWAY_FOR: Duration = 30 * SECOND;

/** Reads all records of one kind that the platform has of a creator. */
export interface RecordWalk {
  walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronised>;
}

/**
 * Walks all of a creator's leak and impersonation records, again and again: only such a walk observes that one is gone
 * (D50, D54).
 */
export const caseWalks = (
  creators: Creators,
  cases: RecordWalk,
  impersonations: RecordWalk,
  memberships: Memberships,
  access: AgencyAccess,
  clock: Clock,
  every: Duration,
): DueHandler => {
  const turns = new AgencyPermits(WALKS_PER_AGENCY);
  return {
    kind: 'caseWalk',
    concurrency: 8,
    // One creator's records may be very many, and no second walk of it may begin until all are read.
    maxSlow: 6,
    ttl: NO_TIME_LIMIT,
    async handle(item, now) {
      const context = roundContext(item);
      const creator = await creators.load(item.subject as CreatorId);
      if (creator.status === 'unknown' || creator.userId === null) return 'idle';
      if (hasLeft(creator)) return 'idle';
      const { creatorId, agencyId, workspaceId, userId } = creator;
      const linked = { creatorId, agencyId, workspaceId, userId };
      const denied = await deniedUntil(access, agencyId, now);
      if (denied !== undefined) return { retryAt: denied };
      const walk = async () =>
        (await cases.walk(linked, context)) === 'synchronised' &&
        (await impersonations.walk(linked, context)) === 'synchronised';
      const isMember = await turns.run(agencyId, walk, TURN_TIMEOUT);
      if (isMember === undefined) return { retryAt: now + TURNED_AWAY_FOR };
      if (isMember) await memberships.share([creatorId], now);
      else await creators.recordMissing(creatorId, context, now);
      // A walk may take longer than that: others are walked before it begins again.
      return { retryAt: clock.now() + every };
    },
  };
};
