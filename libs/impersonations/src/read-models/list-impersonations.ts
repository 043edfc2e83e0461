import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CommandRunner, type CreatorId, type ImpersonationId, invalidRequest, type WorkspaceId } from '#kernel';
import { requireComplete, SetAsideList } from '#projections';
import { impersonationDecider } from '../domain/impersonation.js';
import { ImpersonationList, type ImpersonationRow, impersonationListProjection } from './impersonation-list.js';

export interface ImpersonationPage {
  readonly rows: readonly ImpersonationRow[];
  readonly nextCursor: ImpersonationId | null;
}

/** A page of a creator's impersonations, as far as they are known: `SynchronizeImpersonations` comes before it. */
export class ListImpersonations extends Query<ImpersonationPage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly creatorId: CreatorId,
    readonly page: { readonly limit: number; readonly after?: ImpersonationId },
  ) {
    super();
  }
}

@QueryHandler(ListImpersonations)
export class ListImpersonationsHandler implements IQueryHandler<ListImpersonations> {
  constructor(
    private readonly list: ImpersonationList,
    private readonly setAsides: SetAsideList,
    private readonly runner: CommandRunner,
  ) {}

  async execute({ workspaceId, creatorId, page }: ListImpersonations): Promise<ImpersonationPage> {
    if (page.after !== undefined) await this.requireOfCreator(page.after, creatorId);
    const found = await this.list.ofCreator(creatorId, { ...page, limit: page.limit + 1 });
    await requireComplete(this.setAsides, workspaceId, [impersonationListProjection.name]);
    const rows = found.slice(0, page.limit);
    return { rows, nextCursor: found.length > page.limit ? (rows.at(-1)?.impersonationId ?? null) : null };
  }

  /** D13: a cursor of another creator's list is none. The stream is asked, as the list may not have its impersonation yet. */
  private async requireOfCreator(after: ImpersonationId, creatorId: CreatorId): Promise<void> {
    const { state } = await this.runner.load(impersonationDecider, after);
    if (state.status === 'unknown' || state.creatorId !== creatorId) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
  }
}
