import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { CreatorAccess, hasLeft, isWithUser, type LinkedCreator, Memberships } from '#creators';
import { TaskCommand } from '#jobs';
import { Clock, type CommandContext, type CreatorId, type TaskOutcome } from '#kernel';
import { CasesOptions } from '../cases.options.js';
import { CaseSynchronization } from './case-synchronization.js';
import { ImpersonationWalk } from './ports.js';

/** Observes which leak and impersonation records are gone (D50, D54), or that the creator is missing (D43). */
export class WalkMemberRecords extends TaskCommand<CreatorId> {}

@CommandHandler(WalkMemberRecords)
export class WalkMemberRecordsHandler implements ICommandHandler<WalkMemberRecords> {
  constructor(
    private readonly creators: CreatorAccess,
    private readonly cases: CaseSynchronization,
    private readonly impersonations: ImpersonationWalk,
    private readonly memberships: Memberships,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
    private readonly options: CasesOptions,
  ) {}

  async execute({ subject: creatorId, context }: WalkMemberRecords): Promise<TaskOutcome> {
    const began = this.clock.now();
    const creator = await this.creators.recorded(creatorId);
    const { state } = creator;
    if (!isWithUser(state) || hasLeft(state)) return 'idle';
    const denied = await this.access.deniedUntil(state.agencyId);
    if (denied !== undefined) return { retryAt: denied };
    const isMember = await this.walk(state, context);
    if (isMember) await this.memberships.share([creatorId], began);
    else await this.creators.reportMissing(creator, context, began);
    // Counted from its end, because it may take longer than the interval: other creators have their turn in between.
    return { retryAt: this.clock.now() + this.options.walkEvery };
  }

  private async walk(creator: LinkedCreator, context: CommandContext): Promise<boolean> {
    return (
      (await this.cases.walk(creator, context)) === 'synchronized' &&
      (await this.impersonations.walk(creator, context)) === 'synchronized'
    );
  }
}
