import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type CaseId, CommandRunner, type CreatorId, invalidRequest, type WorkspaceId } from '#kernel';
import { requireComplete, SetAsideList } from '#projections';
import { caseDecider } from '../domain/case.js';
import { CaseList, type CaseRow, caseListProjection } from './case-list.js';

export interface CasePage {
  readonly rows: readonly CaseRow[];
  readonly nextCursor: CaseId | null;
}

/** A page of a creator's cases, as far as they are known: `SynchronizeCases` comes before it. */
export class ListCases extends Query<CasePage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly creatorId: CreatorId,
    readonly page: { readonly limit: number; readonly after?: CaseId },
  ) {
    super();
  }
}

@QueryHandler(ListCases)
export class ListCasesHandler implements IQueryHandler<ListCases> {
  constructor(
    private readonly list: CaseList,
    private readonly setAsides: SetAsideList,
    private readonly runner: CommandRunner,
  ) {}

  async execute({ workspaceId, creatorId, page }: ListCases): Promise<CasePage> {
    if (page.after !== undefined) await this.requireOfCreator(page.after, creatorId);
    const found = await this.list.ofCreator(creatorId, { ...page, limit: page.limit + 1 });
    await requireComplete(this.setAsides, workspaceId, [caseListProjection.name]);
    const rows = found.slice(0, page.limit);
    return { rows, nextCursor: found.length > page.limit ? (rows.at(-1)?.caseId ?? null) : null };
  }

  /** D13: a cursor of another creator's list is none. The stream is asked, as the list may not have its case yet. */
  private async requireOfCreator(after: CaseId, creatorId: CreatorId): Promise<void> {
    const { state } = await this.runner.load(caseDecider, after);
    if (state.status === 'unknown' || state.creatorId !== creatorId) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
  }
}
