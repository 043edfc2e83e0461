import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CreatorId, WorkspaceId } from '#kernel';
import {
  DeadLetterList,
  type NewestPage,
  type NewestPageQuery,
  type ReadModel,
  ReadModels,
  requireComplete,
} from '#projections';
import { type EnrolledCreator, isAccessible } from '../../domain/creator.state.js';
import { type CreatorEntry, creatorRosterProjection } from '../../read-models/creator-roster.js';
import { CreatorRepository } from '../access/creator.repository.js';

export interface CreatorFilter {
  readonly enrollment?: CreatorEntry['enrollment'] | undefined;
  readonly protection?: CreatorEntry['protection'] | undefined;
}

/** A workspace's creators and invitees as they were last recorded, by id. The platform is not asked. */
export class ListCreators extends Query<NewestPage<EnrolledCreator>> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly filter: CreatorFilter,
    readonly page: NewestPageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListCreators)
export class ListCreatorsHandler implements IQueryHandler<ListCreators> {
  private readonly entries: ReadModel<CreatorEntry>;

  constructor(
    readModels: ReadModels,
    private readonly creators: CreatorRepository,
    private readonly deadLetters: DeadLetterList,
  ) {
    this.entries = readModels.of(creatorRosterProjection);
  }

  async execute({ workspaceId, filter, page: { limit, after } }: ListCreators): Promise<NewestPage<EnrolledCreator>> {
    const { enrollment, protection } = filter;
    const found = await this.entries.findEntries({
      index: indexOf(filter),
      equals: [workspaceId, 1, ...[enrollment, protection].filter((status) => status !== undefined)],
      limit: limit + 1,
      ...(after !== undefined && { gt: after }),
    });
    await requireComplete(this.deadLetters, workspaceId, [creatorRosterProjection.name]);
    const ids = found.slice(0, limit).map(({ id }) => id as CreatorId);
    const loaded = await this.creators.loadAll(ids);
    return {
      items: loaded.map(({ state }) => state).filter(isAccessible),
      nextCursor: found.length > limit ? (ids.at(-1) ?? null) : null,
    };
  }
}

const indexOf = ({ enrollment, protection }: CreatorFilter): string => {
  if (enrollment === undefined) return protection === undefined ? 'all' : 'protection';
  return protection === undefined ? 'enrollment' : 'both';
};
