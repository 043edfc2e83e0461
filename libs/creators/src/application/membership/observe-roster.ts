import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withinBudget } from '#jobs';
import type { CommandContext, UserId } from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import type { AgencyScope } from '../access/creator-access.js';
import type { LoadedCreator } from '../access/loaded-creator.js';
import { SlotCalls } from '../access/slot-calls.js';
import { accessibleCreators, type PageRequest, RosterReading } from './roster-reading.js';

export interface CreatorPage {
  readonly creators: readonly EnrolledCreator[];
  readonly nextCursor: UserId | null;
}

/** A command, because what the platform shows is recorded. It is `provider_timeout` beyond its budget (D80). */
export class ObserveRoster extends Command<CreatorPage> {
  constructor(
    readonly scope: AgencyScope,
    readonly page: PageRequest,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ObserveRoster)
export class ObserveRosterHandler implements ICommandHandler<ObserveRoster> {
  constructor(
    private readonly roster: RosterReading,
    private readonly slots: SlotCalls,
    private readonly options: CreatorsOptions,
  ) {}

  execute({ scope, page, context }: ObserveRoster): Promise<CreatorPage> {
    return withinBudget(this.options.providerTimeout, async (signal) => {
      const recorded = await this.roster.read(scope, page, context, { rebinding: true, signal });
      const settled = await this.withSlots(recorded.creators, context);
      return { creators: accessibleCreators(settled), nextCursor: recorded.nextCursor };
    });
  }

  /** The agency sees creators once they have their slots again (D77). Each is settled, also where another fails. */
  private async withSlots(creators: readonly LoadedCreator[], context: CommandContext): Promise<LoadedCreator[]> {
    const settled = await Promise.allSettled(creators.map((creator) => this.slots.reoccupied(creator, context)));
    return settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }
}
