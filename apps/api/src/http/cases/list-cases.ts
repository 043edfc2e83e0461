import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type CaseRow, caseDecider } from '#cases';
import type { AgencyScope, EnrolledCreator } from '#creators';
import { type CaseId, type CommandContext, type CreatorId, DomainError, invalidRequest } from '#kernel';
import { READ_MODELS } from '#read-models';
import type { Services } from '../../../../composition/src/index.js';
import { SERVICES } from '../../tokens.js';

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

const PATIENCE = 2_000;

/** The first page is read after one synchronisation, later ones from what is known (D50). */
@QueryHandler(ListCases)
export class ListCasesHandler implements IQueryHandler<ListCases, CasePage> {
  constructor(@Inject(SERVICES) private readonly services: Services) {}

  async execute({ creatorId, scope, page, context }: ListCases): Promise<CasePage> {
    const { creators, caseList, progress } = this.services;
    const creator = await creators.accessible(creatorId, scope, context);
    if (page.after === undefined) await this.synchronise(creator, context);
    else await this.requireCursor(creatorId, page.after);
    await progress.passed([READ_MODELS], context.trail.position, PATIENCE);
    const found = await caseList.ofCreator(creatorId, { ...page, limit: page.limit + 1 });
    const rows = found.slice(0, page.limit);
    return { rows, nextCursor: found.length > page.limit ? (rows.at(-1)?.caseId ?? null) : null };
  }

  private async synchronise(creator: EnrolledCreator, context: CommandContext): Promise<void> {
    const { creatorId, agencyId, workspaceId, userId } = creator;
    if (userId === null) return;
    const { cases, creators } = this.services;
    const outcome = await cases.recent({ creatorId, agencyId, workspaceId, userId }, context);
    if (outcome === 'synchronised') return;
    await creators.recordMissing(creatorId, context);
    throw new DomainError('not_found');
  }

  /** D13: a cursor of another creator's collection is none. Asked of the case itself: the list may not have it yet. */
  private async requireCursor(creatorId: CreatorId, after: CaseId): Promise<void> {
    const { state } = await this.services.runner.load(caseDecider, after);
    if (state.status === 'unknown' || state.creatorId !== creatorId) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
  }
}
