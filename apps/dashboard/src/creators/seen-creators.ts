import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { type EnrolledCreator, ObserveCreator } from '#creators';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import type { Visit } from '../access/visit.js';

/** D78: nothing of a creator is shown before the platform was asked whether it still is the agency's. */
@Injectable()
export class SeenCreators {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async see(id: string, { agencyId, context }: Visit): Promise<EnrolledCreator> {
    const creatorId = idParam('creator', id);
    const { workspaceId, epoch } = await this.queries.execute(new GetBinding(agencyId));
    return this.commands.execute(new ObserveCreator(creatorId, { agencyId, workspaceId, epoch }, context));
  }
}
