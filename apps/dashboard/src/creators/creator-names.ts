import { Injectable } from '@nestjs/common';
import { CreatorAccess, type EnrolledCreator, isFound, publicCreator } from '#creators';
import type { CreatorId } from '#kernel';

/** The names of creators as their streams have them: no read model of the dashboard holds one. */
@Injectable()
export class CreatorNames {
  constructor(private readonly creators: CreatorAccess) {}

  /** Those that the agency can see. */
  async of(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, string>> {
    const loaded = await Promise.all([...new Set(creatorIds)].map((creatorId) => this.creators.recorded(creatorId)));
    return new Map(
      loaded
        .filter(isFound)
        .filter(({ state }) => isVisible(state))
        .map(({ state }) => [state.creatorId, publicCreator(state).display_name] as const),
    );
  }
}

const isVisible = ({ membership }: EnrolledCreator): boolean => membership.status === 'current';
