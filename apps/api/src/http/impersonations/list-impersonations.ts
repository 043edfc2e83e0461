import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type AgencyScope, Creators, RequestSynchronisations } from '#creators';
import {
  ImpersonationList,
  type ImpersonationRow,
  ImpersonationSynchronisation,
  impersonationDecider,
  impersonationListProjection,
} from '#impersonations';
import {
  type CommandContext,
  CommandRunner,
  type CreatorId,
  DomainError,
  type ImpersonationId,
  invalidRequest,
  Progress,
} from '#kernel';
import { SetAsideList } from '#projections';
import { requireComplete } from '../complete.js';
import { readModelsPassed } from '../read-models-passed.js';

export class ListImpersonations {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly page: { readonly limit: number; readonly after?: ImpersonationId },
    readonly context: CommandContext,
  ) {}
}

export interface ImpersonationRows {
  readonly rows: readonly ImpersonationRow[];
  readonly nextCursor: ImpersonationId | null;
}

/** The first page is read after one walk of the platform's records, later ones from what is known (D54). */
@QueryHandler(ListImpersonations)
export class ListImpersonationsHandler implements IQueryHandler<ListImpersonations, ImpersonationRows> {
  constructor(
    private readonly creators: Creators,
    private readonly impersonations: ImpersonationSynchronisation,
    private readonly list: ImpersonationList,
    private readonly synchronisations: RequestSynchronisations,
    private readonly progress: Progress,
    private readonly setAsides: SetAsideList,
    private readonly runner: CommandRunner,
  ) {}

  async execute({ creatorId, scope, page, context }: ListImpersonations): Promise<ImpersonationRows> {
    if (page.after === undefined) await this.synchronise(creatorId, scope, context);
    else await this.requireKnown(creatorId, page.after, scope, context);
    const found = await this.list.ofCreator(creatorId, { ...page, limit: page.limit + 1 });
    await requireComplete(this.setAsides, scope.workspaceId, [impersonationListProjection.name]);
    const rows = found.slice(0, page.limit);
    return { rows, nextCursor: found.length > page.limit ? (rows.at(-1)?.impersonationId ?? null) : null };
  }

  private async synchronise(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<void> {
    const creator = await this.creators.accessible(creatorId, scope, context);
    const { agencyId, workspaceId, userId } = creator.state;
    if (userId === null) return;
    const linked = { creatorId, agencyId, workspaceId, userId };
    const outcome = await this.synchronisations.run('impersonations', creatorId, context, (signal) =>
      this.impersonations.walk(linked, context, { signal }),
    );
    if (outcome === 'not_a_member') {
      await this.creators.recordMissing(creator, context);
      throw new DomainError('not_found');
    }
    await readModelsPassed(this.progress, context);
  }

  /** D13: a cursor of another creator's collection is none. Asked of the record itself: the list may not have it yet. */
  private async requireKnown(
    creatorId: CreatorId,
    after: ImpersonationId,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<void> {
    await this.creators.confirmedMember(creatorId, scope, context);
    const { state } = await this.runner.load(impersonationDecider, after);
    if (state.status === 'unknown' || state.creatorId !== creatorId) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
  }
}
