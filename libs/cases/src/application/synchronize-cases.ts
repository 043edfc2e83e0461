import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess, MemberRecords } from '#creators';
import type { CaseId, CommandContext, CreatorId } from '#kernel';
import { assertCursorOf } from '#projections';
import { CaseAccess } from './case-access.js';

/** Comes before a page of the list: the first page is read after one synchronization, later ones from what is known (D50). */
export class SynchronizeCases extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    /** Where the page of the list begins that is read next. */
    readonly after: CaseId | undefined,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SynchronizeCases)
export class SynchronizeCasesHandler implements ICommandHandler<SynchronizeCases> {
  constructor(
    private readonly creators: CreatorAccess,
    private readonly records: MemberRecords,
    private readonly cases: CaseAccess,
  ) {}

  async execute({ creatorId, scope, after, context }: SynchronizeCases): Promise<void> {
    if (after !== undefined) {
      const [cursor] = await Promise.all([this.cases.find(after), this.creators.forRead(creatorId, scope, context)]);
      assertCursorOf(creatorId, cursor.state);
      return;
    }
    await this.records.synchronize('cases', creatorId, scope, context, (creator, signal) =>
      this.cases.synchronize(creator, context, { signal }),
    );
  }
}
