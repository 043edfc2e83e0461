import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import { rebind } from '../../domain/enrollment/enrollment.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { CreatorCommand } from '../access/creator-command.js';
import { enrolled } from '../access/loaded-creator.js';
import { ObservedCreators } from '../access/observed-creators.js';

/** Returns the creator as the platform shows it now. A command, because what the platform shows is recorded. */
export class ObserveCreator extends CreatorCommand {}

@CommandHandler(ObserveCreator)
export class ObserveCreatorHandler implements ICommandHandler<ObserveCreator> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: ObservedCreators,
  ) {}

  async execute({ creatorId, scope, context }: ObserveCreator): Promise<EnrolledCreator> {
    const creator = await this.creators.ofWorkspace(creatorId, scope);
    const seen = await this.creators.current(creator, context);
    if (seen.state.userId !== null) return seen.state;
    // D21: no reading of the roster shows an invitee, and a new owner has to be able to cancel or resend the invitation.
    return enrolled(await this.repository.update(seen, context, (state) => rebind(state, scope.epoch))).state;
  }
}
