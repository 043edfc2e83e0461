import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, type Binding } from '#agencies';
import { isInfrastructureFailure, TaskCommand } from '#jobs';
import {
  type AgencyId,
  type CommandContext,
  type CreatorId,
  type Instant,
  Logger,
  PersonalDataUnreadable,
  type RefusedRecord,
  type TaskOutcome,
  type UserId,
} from '#kernel';
import { hasLeft } from '../../domain/creator.state.js';
import { type Roster, rosterDecider } from '../../domain/enrollment/roster.js';
import { isErasedUser } from '../../domain/enrollment/roster-erasure.js';
import type { LoadedRoster } from '../access/creator.repository.js';
import { CreatorAccess } from '../access/creator-access.js';
import { CreatorPorts, isFound } from '../access/creator-ports.js';
import { walkPages } from '../access/page-walk.js';
import { holdsSlot, SlotComparison } from '../protection/slot-comparison.js';
import { LeftOutRecords, rosterOf } from './left-out-records.js';
import { accessibleCreators, type RecordedPage, RosterReading } from './roster-reading.js';

/** Small, because a page stays in memory while its changes are appended, and a creator may have 3,000 aliases. */
const CREATORS_PER_PAGE = 50;

/** The members on the roster, including those left out; not complete if one had no usable id (D65). */
interface SeenMembers {
  readonly userIds: ReadonlySet<UserId>;
  readonly isComplete: boolean;
  readonly leftOut: readonly RefusedRecord[];
  /** Those that should be on the platform's list of slots (D90). */
  readonly holders: ReadonlyMap<UserId, CreatorId>;
  readonly byUser: Roster['byUser'];
}

/** Walks the agency's roster, compares its slots, then asks for each known creator that the roster did not list. */
export class SynchronizeRoster extends TaskCommand<AgencyId> {}

@CommandHandler(SynchronizeRoster)
export class SynchronizeRosterHandler implements ICommandHandler<SynchronizeRoster> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
    private readonly roster: RosterReading,
    private readonly leftOut: LeftOutRecords,
    private readonly slots: SlotComparison,
    private readonly access: AgencyAccess,
    private readonly logger: Logger,
  ) {}

  async execute({ subject: agencyId, context }: SynchronizeRoster): Promise<TaskOutcome> {
    const { clock, options } = this.ports;
    const began = clock.now();
    const agency = await this.access.verifiedOrDenied(agencyId);
    if ('deniedUntil' in agency) return { retryAt: agency.deniedUntil };
    const seen = await this.walk(agency.binding, context);
    await this.leftOut.walked(rosterOf(agencyId), seen.leftOut, began);
    await this.slots.compare(agencyId, seen.holders, seen.byUser, context);
    if (seen.isComplete) await this.askForUnseen(seen, began, context);
    // Counted from its end, because it may take longer than the interval: other agencies have their turn in between.
    return { retryAt: clock.now() + options.syncEvery };
  }

  private async walk(binding: Binding, context: CommandContext): Promise<SeenMembers> {
    const { memberships, clock } = this.ports;
    const userIds = new Set<UserId>();
    const holders = new Map<UserId, CreatorId>();
    const leftOut: RefusedRecord<UserId>[] = [];
    let isComplete = true;
    let askedAt = clock.now();
    let roster: LoadedRoster | undefined;
    const read = async (after: UserId | undefined) => {
      askedAt = clock.now();
      const page = { limit: CREATORS_PER_PAGE, ...(after !== undefined && { after }) };
      // Only the agency's own reading brings creators under a new binding (D21).
      const shown = await this.roster.read(binding, page, context, { rebinding: false, roster });
      roster = shown.roster;
      return shown;
    };
    await walkPages<UserId, RecordedPage>(read, async ({ creators: recorded, refused, unreadable }) => {
      const creators = accessibleCreators(recorded);
      await memberships.share(
        creators.map(({ creatorId }) => creatorId),
        askedAt,
      );
      for (const { userId } of creators) if (userId !== null) userIds.add(userId);
      for (const { userId, creatorId } of creators.filter(holdsSlot)) holders.set(userId, creatorId);
      for (const { creatorId, userId } of unreadable) {
        this.reportUnreadable(creatorId);
        userIds.add(userId);
      }
      leftOut.push(...refused);
      for (const { id: userId } of refused) {
        if (userId === null) isComplete = false;
        else userIds.add(userId);
      }
    });
    const known = roster?.state ?? rosterDecider.initial;
    return {
      userIds,
      isComplete,
      // D72: nothing is shown about an erased creator, whose record may be refused too.
      leftOut: leftOut.filter(({ id }) => id === null || !isErasedUser(known, id)),
      holders,
      byUser: known.byUser,
    };
  }

  private async askForUnseen({ userIds, byUser }: SeenMembers, began: Instant, context: CommandContext): Promise<void> {
    const outages: unknown[] = [];
    for (const [userId, creatorId] of byUser.entries()) {
      if (userIds.has(userId)) continue;
      // A creator that the platform cannot answer for does not delay the others.
      await this.askFor(creatorId, began, context).catch((error: unknown) => {
        if (isInfrastructureFailure(error)) outages.push(error);
        else if (error instanceof PersonalDataUnreadable) this.reportUnreadable(creatorId);
        // Thrown three times, it would set aside the synchronization of the whole agency (D67).
        else
          this.logger.error(
            { err: error, creatorId },
            'could not refresh a creator that is missing from the roster; the next synchronization tries again',
          );
      });
    }
    if (outages.length > 0) throw outages[0];
  }

  private async askFor(creatorId: CreatorId, began: Instant, context: CommandContext): Promise<void> {
    const creator = await this.creators.recorded(creatorId);
    if (!isFound(creator) || creator.state.userId === null || hasLeft(creator.state)) return;
    await this.creators.refresh(creator, context, began);
  }

  /** Logged in each synchronization until the key is restored; the agency's other creators are kept in step (D67, D71). */
  private reportUnreadable(creatorId: CreatorId): void {
    this.logger.warn(
      { creatorId },
      'could not synchronize a creator: its personal data cannot be decrypted; the next synchronization tries again',
    );
  }
}
