import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CaseId, CreatorId, WorkspaceId } from '#kernel';
import { DeadLetterList, type ListPage, type ListPageQuery, requireComplete } from '#projections';
import { type CaseDocument, CaseList, caseListProjection } from './case-list.js';

export type CasePage = ListPage<CaseDocument>;

/** A page of a creator's cases, as far as they are known: `SynchronizeCases` comes before it. */
export class ListCases extends Query<CasePage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly creatorId: CreatorId,
    readonly page: ListPageQuery<CaseId>,
  ) {
    super();
  }
}

@QueryHandler(ListCases)
export class ListCasesHandler implements IQueryHandler<ListCases> {
  constructor(
    private readonly list: CaseList,
    private readonly deadLetters: DeadLetterList,
  ) {}

  async execute({ workspaceId, creatorId, page }: ListCases): Promise<CasePage> {
    const found = await this.list.page(creatorId, page);
    await requireComplete(this.deadLetters, workspaceId, [caseListProjection.name]);
    return found;
  }
}
