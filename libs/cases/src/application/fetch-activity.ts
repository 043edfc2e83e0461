import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess, Memberships } from '#creators';
import { Clock, type CommandContext, type CreatorId, DomainError } from '#kernel';
import { type ActivityPage, ActivityPlatform } from './ports.js';

/** Asks the platform each time (D53). A command, because the log records what the answer shows of the membership. */
export class FetchActivity extends Command<ActivityPage> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly page: { readonly limit: number; readonly cursor?: string },
    readonly context: CommandContext,
  ) {
    super();
  }
}

const NONE: ActivityPage = { records: [], refused: [], nextCursor: null };

@CommandHandler(FetchActivity)
export class FetchActivityHandler implements ICommandHandler<FetchActivity> {
  constructor(
    private readonly creators: CreatorAccess,
    private readonly memberships: Memberships,
    private readonly platform: ActivityPlatform,
    private readonly clock: Clock,
  ) {}

  async execute({ creatorId, scope, page, context }: FetchActivity): Promise<ActivityPage> {
    const creator = await this.creators.forWrite(creatorId, scope, context);
    const { agencyId, userId } = creator.state;
    if (userId === null) return NONE;
    const askedAt = this.clock.now();
    const found = await this.platform.listActivity(agencyId, userId, page);
    if (found !== undefined) {
      this.memberships.confirm(creatorId, askedAt);
      return found;
    }
    await this.creators.reportMissing(creator, context);
    throw new DomainError('not_found');
  }
}
