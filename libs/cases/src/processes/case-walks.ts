import { type AgencyAccess, deniedUntil } from '#agencies';
import {
  type CreatorAccess,
  hasLeft,
  isFound,
  type LinkedCreator,
  type Memberships,
  type Synchronised,
} from '#creators';
import { roundContext } from '#jobs';
import {
  AgencyPermits,
  type Clock,
  type CommandContext,
  type CreatorId,
  type DueHandler,
  type DueOutcome,
  type Duration,
  type Instant,
  NO_TIME_LIMIT,
  SECOND,
  type StoredDueItem,
} from '#kernel';

/** Walks of one agency at a time: those of the others must not wait until all its creators' records are read. */
const WALKS_PER_AGENCY = 2;
/** How long a walk waits for its turn here before it makes room for other agencies, and how long it then stays away. */
const TURN_TIMEOUT: Duration = 200;
const TURNED_AWAY_FOR: Duration = 30 * SECOND;

/** Reads all records of one kind that the platform has of a creator. */
export abstract class RecordWalk {
  abstract walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronised>;
}

/** The walk of impersonation records, which another context has. */
export abstract class ImpersonationWalk extends RecordWalk {}

/**
 * Walks all of a creator's leak and impersonation records, again and again: only such a walk observes that one is gone
 * (D50, D54).
 */
export class CaseWalks implements DueHandler {
  readonly kind = 'caseWalk';
  readonly concurrency = 8;
  // One creator's records may be very many, and no second walk of it may begin until all are read.
  readonly maxSlow = 6;
  readonly ttl = NO_TIME_LIMIT;
  private readonly turns = new AgencyPermits(WALKS_PER_AGENCY);

  constructor(
    private readonly creators: CreatorAccess,
    private readonly cases: RecordWalk,
    private readonly impersonations: RecordWalk,
    private readonly memberships: Memberships,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
    private readonly options: { readonly walkEvery: Duration },
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const context = roundContext(item);
    const creator = await this.creators.find(item.subject as CreatorId);
    if (!isFound(creator) || hasLeft(creator.state)) return 'idle';
    const { creatorId, agencyId, workspaceId, userId } = creator.state;
    if (userId === null) return 'idle';
    const linked = { creatorId, agencyId, workspaceId, userId };
    const denied = await deniedUntil(this.access, agencyId, now);
    if (denied !== undefined) return { retryAt: denied };
    const walk = async () =>
      (await this.cases.walk(linked, context)) === 'synchronised' &&
      (await this.impersonations.walk(linked, context)) === 'synchronised';
    const isMember = await this.turns.run(agencyId, walk, TURN_TIMEOUT);
    if (isMember === undefined) return { retryAt: now + TURNED_AWAY_FOR };
    if (isMember) await this.memberships.share([creatorId], now);
    else await this.creators.reportMissing(creator, context, now);
    // A walk may take longer than that: others are walked before it begins again.
    return { retryAt: this.clock.now() + this.options.walkEvery };
  }
}
