import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ActivityPage } from '#cases';
import type { AgencyScope } from '#creators';
import { type CommandContext, type CreatorId, DomainError } from '#kernel';
import type { Services } from '../../../../composition/src/index.js';
import { SERVICES } from '../../tokens.js';

export class ListActivity {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    /** The cursor is the platform's. */
    readonly page: { readonly limit: number; readonly cursor?: string },
    readonly context: CommandContext,
  ) {}
}

const NONE: ActivityPage = { records: [], refused: [], nextCursor: null };

/** Asks the platform each time: nothing of it is kept (D53). */
@QueryHandler(ListActivity)
export class ListActivityHandler implements IQueryHandler<ListActivity, ActivityPage> {
  constructor(@Inject(SERVICES) private readonly services: Services) {}

  async execute({ creatorId, scope, page, context }: ListActivity): Promise<ActivityPage> {
    const { clock, creators, memberships, native } = this.services;
    const creator = await creators.accessible(creatorId, scope, context);
    const { agencyId, userId } = creator.state;
    if (userId === null) return NONE;
    const askedAt = clock.now();
    const found = await native.activity.listActivity(agencyId, userId, page);
    if (found !== undefined) {
      memberships.confirm(creatorId, askedAt);
      return found;
    }
    await creators.recordMissing(creator, context);
    throw new DomainError('not_found');
  }
}
