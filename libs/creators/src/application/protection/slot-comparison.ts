import { Injectable } from '@nestjs/common';
import { isInfrastructureFailure, walkPages } from '#jobs';
import { type AgencyId, type CommandContext, type CreatorId, DomainError, Logger, type UserId } from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import { type CreatorState, isAccessible, isWithUser, type WithUser } from '../../domain/creator.state.js';
import type { Roster } from '../../domain/enrollment/roster.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { CreatorPlatform, type SlotPage } from '../access/creator-platform.js';
import { SlotCalls } from '../access/slot-calls.js';

const SLOTS_PER_PAGE = 200;
/** So that a platform that lists and does not answer slot calls holds up one synchronization no longer than that. */
const MAX_UNANSWERED = 3;

/** A member whose slot is wanted, and was confirmed: it should be on the platform's list. */
export const holdsSlot = (state: CreatorState): state is WithUser =>
  isWithUser(state) && isAccessible(state) && state.slot.isWanted && state.slot.isConfirmed;

const needsNoSlot = (state: CreatorState): state is WithUser =>
  isWithUser(state) && !state.slot.isWanted && state.slot.isConfirmed;

/** How old the list is does not matter: each call carries its fence (D90). `SettleSlot` has what is not confirmed. */
@Injectable()
export class SlotComparison {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly platform: CreatorPlatform,
    private readonly slots: SlotCalls,
    private readonly options: CreatorsOptions,
    private readonly logger: Logger,
  ) {}

  /** By user id, with the fence; undefined on a platform without that list, from which nothing is concluded. */
  async listed(agencyId: AgencyId): Promise<ReadonlyMap<UserId, number> | undefined> {
    const fences = new Map<UserId, number>();
    const read = (after: UserId | undefined) =>
      this.platform.listSlots(agencyId, { limit: SLOTS_PER_PAGE, ...(after !== undefined && { after }) });
    const hasList = await walkPages<UserId, SlotPage>(read, async ({ slots }) => {
      for (const { userId, fence } of slots) fences.set(userId, fence);
    });
    return hasList ? fences : undefined;
  }

  async compare(
    agencyId: AgencyId,
    holders: ReadonlyMap<UserId, CreatorId>,
    byUser: Roster['byUser'],
    context: CommandContext,
  ): Promise<void> {
    const listed = await this.listedOrNone(agencyId);
    if (listed === undefined) return;
    const missing = [...holders].filter(([userId]) => !listed.has(userId)).map(([, creatorId]) => creatorId);
    const others = [...listed.keys()].filter((userId) => !holders.has(userId));
    const known = others.flatMap((userId) => byUser.get(userId) ?? []);
    this.report(agencyId, others.length - known.length);
    let unanswered = 0;
    for (const creatorId of [...missing, ...known]) {
      if (unanswered === MAX_UNANSWERED) return;
      unanswered += Number(!(await this.isAnswered(creatorId, context)));
    }
  }

  /** The comparison is repeated with the next synchronization; the creators are in step without it. */
  private async listedOrNone(agencyId: AgencyId): Promise<ReadonlyMap<UserId, number> | undefined> {
    try {
      return await this.listed(agencyId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn(
        { err: error, agencyId },
        'could not read the list of slots; the next synchronization tries again',
      );
      return undefined;
    }
  }

  private async isAnswered(creatorId: CreatorId, context: CommandContext): Promise<boolean> {
    try {
      const creator = await this.repository.load(creatorId);
      const { effect } = await this.slots.perform(creator, context, holdsSlot(creator.state) ? holdsSlot : needsNoSlot);
      return effect?.outcome !== 'unknown';
    } catch (error) {
      if (isInfrastructureFailure(error)) throw error;
      this.logger.error({ err: error, creatorId }, 'could not compare a slot; the next synchronization tries again');
      return true;
    }
  }

  private report(agencyId: AgencyId, unknown: number): void {
    this.options.onUnknownSlots?.(unknown);
    if (unknown === 0) return;
    this.logger.warn(
      { agencyId, slots: unknown },
      'the platform lists slots of users that this log does not know, which may be of another installation; to release them: creators release-slots',
    );
  }
}
