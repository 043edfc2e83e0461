import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CreatorId, ImpersonationId, WorkspaceId } from '#kernel';
import { DeadLetterList, type ListPage, type ListPageQuery, requireComplete } from '#projections';
import { type ImpersonationDocument, ImpersonationList, impersonationListProjection } from './impersonation-list.js';

export type ImpersonationPage = ListPage<ImpersonationDocument>;

/** A page of a creator's impersonations, as far as they are known: `SynchronizeImpersonations` comes before it. */
export class ListImpersonations extends Query<ImpersonationPage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly creatorId: CreatorId,
    readonly page: ListPageQuery<ImpersonationId>,
  ) {
    super();
  }
}

@QueryHandler(ListImpersonations)
export class ListImpersonationsHandler implements IQueryHandler<ListImpersonations> {
  constructor(
    private readonly list: ImpersonationList,
    private readonly deadLetters: DeadLetterList,
  ) {}

  async execute({ workspaceId, creatorId, page }: ListImpersonations): Promise<ImpersonationPage> {
    const found = await this.list.page(creatorId, page);
    await requireComplete(this.deadLetters, workspaceId, [impersonationListProjection.name]);
    return found;
  }
}
