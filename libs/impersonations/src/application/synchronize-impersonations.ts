import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess, MemberRecords } from '#creators';
import type { CommandContext, CreatorId, ImpersonationId } from '#kernel';
import { assertCursorOf } from '#projections';
import { ImpersonationRepository } from './impersonation.repository.js';
import { ImpersonationSynchronization } from './impersonation-synchronization.js';

/** The first page is read after one walk, or after the worker's last one if it is long (D80); later ones without (D54). */
export class SynchronizeImpersonations extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    /** Where the page of the list begins that is read next. */
    readonly after: ImpersonationId | undefined,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SynchronizeImpersonations)
export class SynchronizeImpersonationsHandler implements ICommandHandler<SynchronizeImpersonations> {
  constructor(
    private readonly creators: CreatorAccess,
    private readonly records: MemberRecords,
    private readonly impersonations: ImpersonationRepository,
    private readonly synchronization: ImpersonationSynchronization,
  ) {}

  async execute({ creatorId, scope, after, context }: SynchronizeImpersonations): Promise<void> {
    if (after !== undefined) {
      const [cursor] = await Promise.all([
        this.impersonations.load(after),
        this.creators.forRead(creatorId, scope, context),
      ]);
      assertCursorOf(creatorId, cursor.state);
    } else if (await this.synchronization.isLeftToWorker(creatorId, context)) {
      await this.records.confirm(creatorId, scope, context);
    } else {
      await this.records.synchronize('impersonations', creatorId, scope, context, (creator, signal) =>
        this.synchronization.withinRequest(creator, context, signal),
      );
    }
  }
}
