import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, deniedUntil } from '#agencies';
import { CreatorAccess, hasLeft, isFound, type LinkedCreator, Memberships } from '#creators';
import { NOTHING_LEFT, type NothingLeft, type Postponed, postponed } from '#jobs';
import {
  AGENCY_PERMIT_TIMEOUT,
  type AgencyId,
  AgencyPermits,
  Clock,
  type CommandContext,
  type CreatorId,
  type Duration,
  type Instant,
  SECOND,
} from '#kernel';
import { CasesOptions } from '../cases.options.js';
import { CaseSynchronization } from './case-synchronization.js';
import { ImpersonationWalk } from './impersonation-walk.js';
import { RetrySpacing } from './retry-spacing.js';

/** Walks of one agency at a time: those of the others must not wait until all its creators' records are read. */
const WALKS_PER_AGENCY = 2;
/** How long a walk without a permit makes room for other agencies. */
const RETRY_WITHOUT_PERMIT: Duration = 30 * SECOND;
/** Between two retries of an agency's walks without a permit, so that they take a small part of the capacity. */
const RETRY_INTERVAL: Duration = 100;

/**
 * Postponed while the agency is denied, and while other walks of the agency have its permits. Nothing is left for a creator
 * without a native user, or whose membership has ended.
 */
export type WalkMemberRecordsResult = { readonly outcome: 'walked' } | Postponed | NothingLeft;

/**
 * Walks all leak and impersonation records of a creator, and observes which of them are gone (D50, D54). A creator that the
 * platform does not show is recorded as missing (D43).
 */
export class WalkMemberRecords extends Command<WalkMemberRecordsResult> {
  constructor(
    readonly creatorId: CreatorId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(WalkMemberRecords)
export class WalkMemberRecordsHandler implements ICommandHandler<WalkMemberRecords> {
  private readonly permits = new AgencyPermits(WALKS_PER_AGENCY);
  private readonly retries: RetrySpacing;

  constructor(
    private readonly creators: CreatorAccess,
    private readonly cases: CaseSynchronization,
    private readonly impersonations: ImpersonationWalk,
    private readonly memberships: Memberships,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
    options: CasesOptions,
  ) {
    const maxDelay = Math.max(RETRY_WITHOUT_PERMIT, options.walkEvery);
    this.retries = new RetrySpacing({ delay: RETRY_WITHOUT_PERMIT, interval: RETRY_INTERVAL, maxDelay });
  }

  async execute({ creatorId, context }: WalkMemberRecords): Promise<WalkMemberRecordsResult> {
    const began = this.clock.now();
    const creator = await this.creators.find(creatorId);
    if (!isFound(creator) || hasLeft(creator.state)) return NOTHING_LEFT;
    const { agencyId, workspaceId, userId } = creator.state;
    if (userId === null) return NOTHING_LEFT;
    const denied = await deniedUntil(this.access, agencyId, began);
    if (denied !== undefined) return postponed(denied);
    const isMember = await this.withPermit(agencyId, began, () =>
      this.walk({ creatorId, agencyId, workspaceId, userId }, context),
    );
    if (isMember === undefined) return postponed(this.retries.next(agencyId, began));
    if (isMember) await this.memberships.share([creatorId], began);
    else await this.creators.reportMissing(creator, context, began);
    return { outcome: 'walked' };
  }

  /** Whether the platform shows the creator. */
  private async walk(creator: LinkedCreator, context: CommandContext): Promise<boolean> {
    return (
      (await this.cases.walk(creator, context)) === 'synchronized' &&
      (await this.impersonations.walk(creator, context)) === 'synchronized'
    );
  }

  /** Undefined without a permit. While others of the agency wait for a retry, it is not waited for, as that takes capacity. */
  private withPermit<T>(agencyId: AgencyId, now: Instant, walk: () => Promise<T>): Promise<T | undefined> {
    const timeout = this.retries.isWaiting(agencyId, now) ? 0 : AGENCY_PERMIT_TIMEOUT;
    return this.permits.run(agencyId, walk, { timeout });
  }
}
