import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyId, Clock, invalidRequest, type UserId, type WorkspaceId } from '#kernel';
import { fenceAt } from '../../domain/protection/slot.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { RosterRepository } from '../access/roster.repository.js';
import { SlotComparison } from './slot-comparison.js';

export interface ReleasedSlots {
  readonly released: readonly UserId[];
  /** The platform refused it or gave no answer; the same command tries them again. */
  readonly failed: readonly UserId[];
}

/** For an operator: releases the slots that the platform lists of users that this log does not know (D90). */
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
  constructor(
    private readonly comparison: SlotComparison,
    private readonly rosters: RosterRepository,
    private readonly platform: CreatorPlatform,
    private readonly clock: Clock,
  ) {}

  async execute({ agencyId, workspaceId }: ReleaseUnknownSlots): Promise<ReleasedSlots> {
    const listed = await this.comparison.listed(agencyId);
    if (listed === undefined)
      throw invalidRequest({ field: 'agency', message: 'has no list of slots at the platform' });
    // Read after the list: who was enrolled in the meantime is known.
    const { byUser } = (await this.rosters.load(workspaceId)).state;
    const released: UserId[] = [];
    const failed: UserId[] = [];
    for (const [userId, fence] of listed) {
      if (byUser.has(userId)) continue;
      const { outcome } = await this.platform.releaseSlot(agencyId, userId, fenceAt(fence, this.clock.now()));
      (outcome === 'done' ? released : failed).push(userId);
    }
    return { released, failed };
  }
}
