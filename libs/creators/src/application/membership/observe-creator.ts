import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { TaskCommand } from '#jobs';
import type { CommandContext, CreatorId, TaskOutcome, UserId } from '#kernel';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import { rebind } from '../../domain/enrollment/enrollment.js';
import { observeLapse } from '../../domain/membership/observation.js';
import { CreatorAccess, reoccupied } from '../access/creator-access.js';
import type { PageRequest } from '../access/creator-platform.js';
import {
  type AgencyScope,
  CreatorCommand,
  CreatorPorts,
  enrolled,
  type LoadedCreator,
} from '../access/creator-ports.js';
import { accessibleCreators, RosterReading } from './roster-reading.js';
import { withinBudget } from './single-flight.js';

/** Returns the creator as the platform shows it now. A command, because changes at the platform are recorded. */
export class ObserveCreator extends CreatorCommand {}

@CommandHandler(ObserveCreator)
export class ObserveCreatorHandler implements ICommandHandler<ObserveCreator> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
  ) {}

  async execute({ creatorId, scope, context }: ObserveCreator): Promise<EnrolledCreator> {
    const seen = await this.creators.refreshed(await this.creators.ofWorkspace(creatorId, scope), context);
    if (seen.state.userId !== null) return seen.state;
    // D21: the platform's roster shows no invitees, and a new owner must be able to cancel or resend the invitation.
    return enrolled(await this.ports.repository.update(seen, context, (state) => rebind(state, scope.epoch))).state;
  }
}

interface CreatorPage {
  readonly creators: readonly EnrolledCreator[];
  readonly nextCursor: UserId | null;
}

/** Reads a page of the roster and records changes; `provider_timeout` beyond its budget (D80). */
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
    private readonly ports: CreatorPorts,
    private readonly roster: RosterReading,
  ) {}

  execute({ scope, page, context }: ObserveRoster): Promise<CreatorPage> {
    return withinBudget(this.ports.options.providerTimeout, async (signal) => {
      const recorded = await this.roster.read(scope, page, context, { rebinding: true, signal });
      const settled = await this.withSlots(recorded.creators, context);
      return { creators: accessibleCreators(settled), nextCursor: recorded.nextCursor };
    });
  }

  /** The agency sees creators once they have their slots again (D77). Each is settled, even if another one fails. */
  private async withSlots(creators: readonly LoadedCreator[], context: CommandContext): Promise<LoadedCreator[]> {
    const settled = await Promise.allSettled(creators.map((creator) => reoccupied(this.ports, creator, context)));
    return settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }
}

/** Records that the end of the creator's authorization has passed by the clock, once (D40). */
export class RecordAuthorizationLapse extends TaskCommand<CreatorId> {}

@CommandHandler(RecordAuthorizationLapse)
export class RecordAuthorizationLapseHandler implements ICommandHandler<RecordAuthorizationLapse> {
  constructor(private readonly ports: CreatorPorts) {}

  async execute({ subject: creatorId, context }: RecordAuthorizationLapse): Promise<TaskOutcome> {
    await this.ports.repository.update(creatorId, context, observeLapse);
    return 'idle';
  }
}
