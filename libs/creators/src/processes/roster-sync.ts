import { Injectable } from '@nestjs/common';
import { AgencyAccess, type Binding, verifiedOrDenied } from '#agencies';
import { isInfrastructureFailure, roundContext, walkPages } from '#jobs';
import {
  type AgencyId,
  type CommandContext,
  CommandRunner,
  type CreatorId,
  type DueHandler,
  type DueOutcome,
  type Instant,
  Logger,
  NO_TIME_LIMIT,
  PersonalDataUnreadable,
  type StoredDueItem,
  type UserId,
} from '#kernel';
import { isFound } from '../application/creator.repository.js';
import { CreatorAccess } from '../application/creator-access.js';
import { Memberships } from '../application/memberships.js';
import type { LoadedRoster } from '../application/roster.repository.js';
import { accessibleCreators, type RecordedPage, RosterReading } from '../application/roster-reading.js';
import { CreatorsOptions } from '../creators.options.js';
import { hasLeft } from '../domain/creator.state.js';
import type { RosterEntry } from '../domain/enrollment/roster.js';

/** Few, as a page is held in memory while what it shows is appended, and a creator may have 3,000 aliases. */
const CREATORS_PER_PAGE = 50;

/** Whom the roster showed, those left out included; not complete where one had no usable id (D65). */
interface SeenMembers {
  readonly userIds: ReadonlySet<UserId>;
  readonly isComplete: boolean;
  /** All that the agency's own roster had at the last page. */
  readonly creators: Iterable<RosterEntry>;
}

/** Observes an agency's creators: walks its roster, then asks for each known creator that the roster did not show. */
@Injectable()
export class RosterSync implements DueHandler {
  readonly kind = 'rosterSync';
  readonly concurrency = 4;
  // A roster may be very long, and what it shows is recorded at the pace of the views.
  readonly maxSlow = 2;
  readonly ttl = NO_TIME_LIMIT;

  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: CreatorAccess,
    private readonly roster: RosterReading,
    private readonly memberships: Memberships,
    private readonly access: AgencyAccess,
    private readonly logger: Logger,
    private readonly options: CreatorsOptions,
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const agencyId = item.subject as AgencyId;
    const agency = await verifiedOrDenied(this.access, agencyId, now);
    if ('deniedUntil' in agency) return { retryAt: agency.deniedUntil };
    const context = roundContext(item);
    const seen = await this.walk(agency.binding, context);
    if (seen.isComplete) await this.askForUnseen(seen, now, context);
    // It may take longer than that: others are synchronised before it begins again.
    return { retryAt: this.runner.now() + this.options.syncEvery };
  }

  private async walk(binding: Binding, context: CommandContext): Promise<SeenMembers> {
    const userIds = new Set<UserId>();
    let isComplete = true;
    let askedAt = this.runner.now();
    let roster: LoadedRoster | undefined;
    const read = async (after: UserId | undefined) => {
      askedAt = this.runner.now();
      const page = { limit: CREATORS_PER_PAGE, ...(after !== undefined && { after }) };
      // Only the agency's own reading brings creators under a new binding (D21).
      const shown = await this.roster.read(binding, page, context, { rebinding: false, roster });
      roster = shown.roster;
      return shown;
    };
    await walkPages<UserId, RecordedPage>(read, async ({ creators: recorded, refused, unreadable }) => {
      const creators = accessibleCreators(recorded);
      await this.memberships.share(
        creators.map(({ creatorId }) => creatorId),
        askedAt,
      );
      for (const { userId } of creators) if (userId !== null) userIds.add(userId);
      for (const { creatorId, userId } of unreadable) {
        this.reportUnreadable(creatorId);
        userIds.add(userId);
      }
      for (const userId of refused) {
        if (userId === null) isComplete = false;
        else userIds.add(userId);
      }
    });
    return { userIds, isComplete, creators: roster?.state.creators.values() ?? [] };
  }

  private async askForUnseen(
    { userIds, creators }: SeenMembers,
    began: Instant,
    context: CommandContext,
  ): Promise<void> {
    const outages: unknown[] = [];
    for (const { creatorId, userId } of creators) {
      if (userId === null || userIds.has(userId)) continue;
      // One that the platform cannot answer for keeps none of the others waiting.
      await this.askFor(creatorId, began, context).catch((error: unknown) => {
        if (isInfrastructureFailure(error)) outages.push(error);
        else if (error instanceof PersonalDataUnreadable) this.reportUnreadable(creatorId);
        // Three of those would set the synchronisation of the whole agency aside (D67).
        else this.logger.error({ err: error, creatorId }, 'a creator that the roster lacks could not be refreshed');
      });
    }
    if (outages.length > 0) throw outages[0];
  }

  private async askFor(creatorId: CreatorId, began: Instant, context: CommandContext): Promise<void> {
    const creator = await this.creators.find(creatorId);
    if (!isFound(creator) || creator.state.userId === null || hasLeft(creator.state)) return;
    await this.creators.refresh(creator, context, began);
  }

  /** Said in each round until the key is restored; the agency's other creators are kept in step (D67, D71). */
  private reportUnreadable(creatorId: CreatorId): void {
    this.logger.warn({ creatorId }, 'a creator was not synchronised: personal data cannot be decrypted');
  }
}
