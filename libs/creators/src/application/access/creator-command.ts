import { Command } from '@nestjs/cqrs';
import type { CommandContext, CreatorId } from '#kernel';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import type { AgencyScope } from './creator-access.js';

/** What an agency asks for one of its creators; returns the creator as it is then. */
export abstract class CreatorCommand extends Command<EnrolledCreator> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}
