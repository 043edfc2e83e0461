import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type ActivityPage, ActivityPlatform } from '#cases';
import { type AgencyScope, Creators, Memberships } from '#creators';
import { Clock, type CommandContext, type CreatorId, DomainError } from '#kernel';

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
  constructor(
    private readonly creators: Creators,
    private readonly memberships: Memberships,
    private readonly platform: ActivityPlatform,
    private readonly clock: Clock,
  ) {}

  async execute({ creatorId, scope, page, context }: ListActivity): Promise<ActivityPage> {
    const creator = await this.creators.accessible(creatorId, scope, context);
    const { agencyId, userId } = creator.state;
    if (userId === null) return NONE;
    const askedAt = this.clock.now();
    const found = await this.platform.listActivity(agencyId, userId, page);
    if (found !== undefined) {
      this.memberships.confirm(creatorId, askedAt);
      return found;
    }
    await this.creators.recordMissing(creator, context);
    throw new DomainError('not_found');
  }
}
