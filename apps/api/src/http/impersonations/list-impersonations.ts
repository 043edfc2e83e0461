import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type ImpersonationRow, impersonationDecider } from '#cases';
import type { AgencyScope, EnrolledCreator } from '#creators';
import { type CommandContext, type CreatorId, DomainError, type ImpersonationId, invalidRequest } from '#kernel';
import { READ_MODELS } from '#read-models';
import type { Services } from '../../../../composition/src/index.js';
import { SERVICES } from '../../tokens.js';

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

const PATIENCE = 2_000;

/** The first page is read after one walk of the platform's records, later ones from what is known (D54). */
@QueryHandler(ListImpersonations)
export class ListImpersonationsHandler implements IQueryHandler<ListImpersonations, ImpersonationRows> {
  constructor(@Inject(SERVICES) private readonly services: Services) {}

  async execute({ creatorId, scope, page, context }: ListImpersonations): Promise<ImpersonationRows> {
    const { creators, impersonationList, progress } = this.services;
    const creator = await creators.accessible(creatorId, scope, context);
    if (page.after === undefined) await this.synchronise(creator, context);
    else await this.requireCursor(creatorId, page.after);
    await progress.passed([READ_MODELS], context.trail.position, PATIENCE);
    const found = await impersonationList.ofCreator(creatorId, { ...page, limit: page.limit + 1 });
    const rows = found.slice(0, page.limit);
    return { rows, nextCursor: found.length > page.limit ? (rows.at(-1)?.impersonationId ?? null) : null };
  }

  private async synchronise(creator: EnrolledCreator, context: CommandContext): Promise<void> {
    const { creatorId, agencyId, workspaceId, userId } = creator;
    if (userId === null) return;
    const { impersonations, creators } = this.services;
    const outcome = await impersonations.walk({ creatorId, agencyId, workspaceId, userId }, context);
    if (outcome === 'synchronised') return;
    await creators.recordMissing(creatorId, context);
    throw new DomainError('not_found');
  }

  /** D13: a cursor of another creator's collection is none. Asked of the record itself: the list may not have it yet. */
  private async requireCursor(creatorId: CreatorId, after: ImpersonationId): Promise<void> {
    const { state } = await this.services.runner.load(impersonationDecider, after);
    if (state.status === 'unknown' || state.creatorId !== creatorId) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
  }
}
