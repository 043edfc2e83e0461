import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId } from '#kernel';
import type { RequestedReplay } from '../domain/webhook-replay.js';
import { EndpointList } from '../read-models/endpoint-list.js';
import { WebhookReplayRepository } from './webhook-replay.repository.js';

/** The latest replay of each active endpoint of an agency that had one, in the order of the endpoints. */
export class ListReplays extends Query<readonly RequestedReplay[]> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(ListReplays)
export class ListReplaysHandler implements IQueryHandler<ListReplays> {
  constructor(
    private readonly endpoints: EndpointList,
    private readonly replays: WebhookReplayRepository,
  ) {}

  async execute({ agencyId }: ListReplays) {
    const active = (await this.endpoints.ofAgency(agencyId)).filter(({ status }) => status === 'active');
    const replays = await Promise.all(active.map(({ id }) => this.replays.load(id)));
    return replays.flatMap(({ state }) => (state.status === 'none' ? [] : [state]));
  }
}
