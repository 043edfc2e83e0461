import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, DomainError, type WebhookEndpointId } from '#kernel';
import { type RequestedReplay, requireReplay } from '../domain/webhook-replay.js';
import { WebhookReplayRepository } from './webhook-replay.repository.js';

/** The latest replay of an endpoint, under way or ended. Rejects with `not_found` for another agency's. */
export class GetReplay extends Query<RequestedReplay> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly agencyId?: AgencyId,
  ) {
    super();
  }
}

@QueryHandler(GetReplay)
export class GetReplayHandler implements IQueryHandler<GetReplay> {
  constructor(private readonly replays: WebhookReplayRepository) {}

  async execute({ agencyId, endpointId }: GetReplay) {
    const replay = requireReplay((await this.replays.load(endpointId)).state);
    if (agencyId !== undefined && replay.agencyId !== agencyId) throw new DomainError('not_found');
    return replay;
  }
}
