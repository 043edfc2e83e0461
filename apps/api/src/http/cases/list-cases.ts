import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CaseList, type CaseRow, CaseSynchronisation, caseDecider, caseListProjection } from '#cases';
import { type AgencyScope, Creators, RequestSynchronisations } from '#creators';
import {
  type CaseId,
  type CommandContext,
  CommandRunner,
  type CreatorId,
  DomainError,
  invalidRequest,
  Progress,
} from '#kernel';
import { SetAsideList } from '#projections';
import { requireComplete } from '../complete.js';
import { readModelsPassed } from '../read-models-passed.js';

export class ListCases {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly page: { readonly limit: number; readonly after?: CaseId },
    readonly context: CommandContext,
  ) {}
}

export interface CasePage {
  readonly rows: readonly CaseRow[];
  readonly nextCursor: CaseId | null;
}

/** The first page is read after one synchronisation, later ones from what is known (D50). */
@QueryHandler(ListCases)
export class ListCasesHandler implements IQueryHandler<ListCases, CasePage> {
  constructor(
    private readonly creators: Creators,
    private readonly cases: CaseSynchronisation,
    private readonly list: CaseList,
    private readonly synchronisations: RequestSynchronisations,
    private readonly progress: Progress,
    private readonly setAsides: SetAsideList,
    private readonly runner: CommandRunner,
  ) {}

  async execute({ creatorId, scope, page, context }: ListCases): Promise<CasePage> {
    if (page.after === undefined) await this.synchronise(creatorId, scope, context);
    else await this.requireKnown(creatorId, page.after, scope, context);
    const found = await this.list.ofCreator(creatorId, { ...page, limit: page.limit + 1 });
    await requireComplete(this.setAsides, scope.workspaceId, [caseListProjection.name]);
    const rows = found.slice(0, page.limit);
    return { rows, nextCursor: found.length > page.limit ? (rows.at(-1)?.caseId ?? null) : null };
  }

  private async synchronise(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<void> {
    const creator = await this.creators.accessible(creatorId, scope, context);
    const { agencyId, workspaceId, userId } = creator.state;
    if (userId === null) return;
    const linked = { creatorId, agencyId, workspaceId, userId };
    const outcome = await this.synchronisations.run('cases', creatorId, context, (signal) =>
      this.cases.recent(linked, context, { signal }),
    );
    if (outcome === 'not_a_member') {
      await this.creators.recordMissing(creator, context);
      throw new DomainError('not_found');
    }
    await readModelsPassed(this.progress, context);
  }

  /** D13: a cursor of another creator's collection is none. Asked of the case itself: the list may not have it yet. */
  private async requireKnown(
    creatorId: CreatorId,
    after: CaseId,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<void> {
    await this.creators.confirmedMember(creatorId, scope, context);
    const { state } = await this.runner.load(caseDecider, after);
    if (state.status === 'unknown' || state.creatorId !== creatorId) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
  }
}
