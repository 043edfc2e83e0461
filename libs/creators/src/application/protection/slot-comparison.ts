import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isInfrastructureFailure } from '#jobs';
import {
  type AgencyId,
  type CommandContext,
  type CreatorId,
  DomainError,
  invalidRequest,
  Logger,
  type UserId,
  type WorkspaceId,
} from '#kernel';
import { type CreatorState, isAccessible, isWithUser, type WithUser } from '../../domain/creator.state.js';
import type { Roster } from '../../domain/enrollment/roster.js';
import { fenceAt } from '../../domain/protection/protection.js';
import { callForSlot } from '../access/creator-access.js';
import type { CreatorPlatform, SlotPage } from '../access/creator-platform.js';
import { CreatorPorts } from '../access/creator-ports.js';
import { walkPages } from '../access/page-walk.js';

const SLOTS_PER_PAGE = 200;
/** Limits how long a platform that lists slots but answers no slot calls holds up one synchronization. */
const MAX_UNANSWERED = 3;

/** A member whose slot is wanted, and was confirmed: it should be on the platform's list. */
export const holdsSlot = (state: CreatorState): state is WithUser =>
  isWithUser(state) && isAccessible(state) && state.slot.isWanted && state.slot.isConfirmed;

const needsNoSlot = (state: CreatorState): state is WithUser =>
  isWithUser(state) && !state.slot.isWanted && state.slot.isConfirmed;

/** By user id, with the fence; undefined on a platform without that list, from which nothing is concluded. */
const listedSlots = async (
  platform: CreatorPlatform,
  agencyId: AgencyId,
): Promise<ReadonlyMap<UserId, number> | undefined> => {
  const fences = new Map<UserId, number>();
  const read = (after: UserId | undefined) =>
    platform.listSlots(agencyId, { limit: SLOTS_PER_PAGE, ...(after !== undefined && { after }) });
  const hasList = await walkPages<UserId, SlotPage>(read, async ({ slots }) => {
    for (const { userId, fence } of slots) fences.set(userId, fence);
  });
  return hasList ? fences : undefined;
};

/** The age of the list does not matter: each call carries its fence (D90). `SettleSlot` handles unconfirmed slots. */
@Injectable()
export class SlotComparison {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly logger: Logger,
  ) {}

  async compare(
    agencyId: AgencyId,
    holders: ReadonlyMap<UserId, CreatorId>,
    byUser: Roster['byUser'],
    context: CommandContext,
  ): Promise<void> {
    const listed = await listedSlots(this.ports.platform, agencyId).catch((err: unknown) => {
      if (!(err instanceof DomainError)) throw err;
      this.logger.warn({ err, agencyId }, 'could not read the list of slots; the next synchronization tries again');
      return undefined;
    });
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

  private async isAnswered(creatorId: CreatorId, context: CommandContext): Promise<boolean> {
    try {
      const creator = await this.ports.repository.load(creatorId);
      const isDue = holdsSlot(creator.state) ? holdsSlot : needsNoSlot;
      const { effect } = await callForSlot(this.ports, creator, context, isDue);
      return effect?.outcome !== 'unknown';
    } catch (err) {
      if (isInfrastructureFailure(err)) throw err;
      this.logger.error({ err, creatorId }, 'could not compare a slot; the next synchronization tries again');
      return true;
    }
  }

  private report(agencyId: AgencyId, unknown: number): void {
    this.ports.options.onUnknownSlots?.(unknown);
    if (unknown === 0) return;
    this.logger.warn(
      { agencyId, slots: unknown },
      'the platform lists slots of users that this log does not know; they may belong to another installation; to release them: creators release-slots',
    );
  }
}

export interface ReleasedSlots {
  readonly released: readonly UserId[];
  /** The platform refused it or gave no answer; the same command tries them again. */
  readonly failed: readonly UserId[];
}

/** For an operator: releases the slots on the platform's list whose users this log does not know (D90). */
export class ReleaseUnknownSlots extends Command<ReleasedSlots> {
  constructor(
    readonly agencyId: AgencyId,
    readonly workspaceId: WorkspaceId,
  ) {
    super();
  }
}

@CommandHandler(ReleaseUnknownSlots)
export class ReleaseUnknownSlotsHandler implements ICommandHandler<ReleaseUnknownSlots> {
  constructor(private readonly ports: CreatorPorts) {}

  async execute({ agencyId, workspaceId }: ReleaseUnknownSlots): Promise<ReleasedSlots> {
    const { platform, rosters, clock } = this.ports;
    const listed = await listedSlots(platform, agencyId);
    if (listed === undefined)
      throw invalidRequest({ field: 'agency', message: 'has no list of slots on the platform' });
    // Read after the list, so that users who were enrolled in between are known.
    const { byUser } = (await rosters.load(workspaceId)).state;
    const released: UserId[] = [];
    const failed: UserId[] = [];
    for (const [userId, fence] of listed) {
      if (byUser.has(userId)) continue;
      const { outcome } = await platform.releaseSlot(agencyId, userId, fenceAt(fence, clock.now()));
      (outcome === 'done' ? released : failed).push(userId);
    }
    return { released, failed };
  }
}
