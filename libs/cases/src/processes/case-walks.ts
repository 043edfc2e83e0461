import { Injectable } from '@nestjs/common';
import { AgencyAccess, deniedUntil } from '#agencies';
import { CreatorAccess, hasLeft, isFound, type LinkedCreator, Memberships, type Synchronized } from '#creators';
import { roundContext } from '#jobs';
import {
  AGENCY_PERMIT_TIMEOUT,
  AgencyPermits,
  Clock,
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
import { CaseSynchronization } from '../application/case-synchronization.js';
import { CasesOptions } from '../cases.options.js';
import { RetrySpacing } from './retry-spacing.js';

/** Walks of one agency at a time: those of the others must not wait until all its creators' records are read. */
const WALKS_PER_AGENCY = 2;
/** How long a walk without a permit makes room for other agencies. */
const RETRY_WITHOUT_PERMIT: Duration = 30 * SECOND;
/** Of walks without a permit: so many of one agency take a small part of the capacity here. */
const RETRY_INTERVAL: Duration = 100;

/** Reads all impersonation records that the platform has of a creator; another context does. */
export abstract class ImpersonationWalk {
  abstract walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronized>;
}

/**
 * Walks all of a creator's leak and impersonation records, again and again: only such a walk observes that one is gone
 * (D50, D54).
 */
@Injectable()
export class CaseWalks implements DueHandler {
  readonly kind = 'caseWalk';
  readonly concurrency = 8;
  // One creator's records may be very many, and no second walk of it may begin until all are read.
  readonly maxSlow = 6;
  readonly ttl = NO_TIME_LIMIT;
  private readonly permits = new AgencyPermits(WALKS_PER_AGENCY);
  private readonly retries: RetrySpacing;

  constructor(
    private readonly creators: CreatorAccess,
    private readonly cases: CaseSynchronization,
    private readonly impersonations: ImpersonationWalk,
    private readonly memberships: Memberships,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
    private readonly options: CasesOptions,
  ) {
    const maxDelay = Math.max(RETRY_WITHOUT_PERMIT, options.walkEvery);
    this.retries = new RetrySpacing({ delay: RETRY_WITHOUT_PERMIT, interval: RETRY_INTERVAL, maxDelay });
  }

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
      (await this.cases.walk(linked, context)) === 'synchronized' &&
      (await this.impersonations.walk(linked, context)) === 'synchronized';
    // While others of the agency wait for a retry, this walk occupies no capacity here in order to wait.
    const timeout = this.retries.isWaiting(agencyId, now) ? 0 : AGENCY_PERMIT_TIMEOUT;
    const isMember = await this.permits.run(agencyId, walk, { timeout });
    if (isMember === undefined) return { retryAt: this.retries.next(agencyId, now) };
    if (isMember) await this.memberships.share([creatorId], now);
    else await this.creators.reportMissing(creator, context, now);
    // Counted from its end, as a walk may take longer than that: other creators come before it begins again.
    return { retryAt: this.clock.now() + this.options.walkEvery };
  }
}
