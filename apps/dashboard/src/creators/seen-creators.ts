import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { type AgencyScope, type EnrolledCreator, ObserveCreator } from '#creators';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import type { Visit } from '../access/visit.js';

export interface SeenCreator {
  readonly creator: EnrolledCreator;
  readonly scope: AgencyScope;
}

/** D78: nothing of a creator is shown before the platform was asked whether it still is the agency's. */
@Injectable()
export class SeenCreators {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async see(id: string, { agencyId, context }: Visit): Promise<SeenCreator> {
    const creatorId = idParam('creator', id);
    const { workspaceId, epoch } = await this.queries.execute(new GetBinding(agencyId));
    const scope = { agencyId, workspaceId, epoch };
    return { creator: await this.commands.execute(new ObserveCreator(creatorId, scope, context)), scope };
  }
}
