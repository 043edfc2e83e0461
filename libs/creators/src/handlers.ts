import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { GetCreator, ListCreators } from './application/commands.js';
import { CreatorAccess } from './application/creator-access.js';
import { type CreatorPage, RosterReading } from './application/roster-reading.js';
import type { EnrolledCreator } from './domain/creator.state.js';

@QueryHandler(GetCreator)
export class GetCreatorHandler implements IQueryHandler<GetCreator, EnrolledCreator> {
  constructor(private readonly creators: CreatorAccess) {}

  async execute({ creatorId, scope, context }: GetCreator): Promise<EnrolledCreator> {
    return (await this.creators.current(creatorId, scope, context)).state;
  }
}

@QueryHandler(ListCreators)
export class ListCreatorsHandler implements IQueryHandler<ListCreators, CreatorPage> {
  constructor(private readonly roster: RosterReading) {}

  execute({ scope, page, context }: ListCreators): Promise<CreatorPage> {
    return this.roster.read(scope, page, context, { rebinding: true });
  }
}

export const creatorHandlers = [GetCreatorHandler, ListCreatorsHandler];
