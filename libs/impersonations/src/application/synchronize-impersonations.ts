import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, assertCursorOf, CreatorAccess, MemberRecords } from '#creators';
import type { CommandContext, CreatorId, ImpersonationId } from '#kernel';
import { ImpersonationRepository } from './impersonation.repository.js';
import { ImpersonationSynchronisation } from './impersonation-synchronisation.js';

/** Comes before a page of the list: the first page is read after one walk of the platform's records, later ones from what is known (D54). */
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
    private readonly synchronisation: ImpersonationSynchronisation,
  ) {}

  async execute({ creatorId, scope, after, context }: SynchronizeImpersonations): Promise<void> {
    if (after !== undefined) {
      await this.creators.confirmedMember(creatorId, scope, context);
      assertCursorOf(creatorId, (await this.impersonations.load(after)).state);
      return;
    }
    await this.records.synchronise('impersonations', creatorId, scope, context, (creator, signal) =>
      this.synchronisation.walk(creator, context, { signal }),
    );
  }
}
