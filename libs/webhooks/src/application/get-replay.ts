import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, DomainError, type WebhookEndpointId } from '#kernel';
import { requireReplay, type WebhookReplay } from '../domain/webhook-replay.js';
import { WebhookReplayRepository } from './webhook-replay.repository.js';

/** The latest replay of an endpoint of the agency, under way or ended. Rejects with `not_found`. */
export class GetReplay extends Query<Exclude<WebhookReplay, { readonly status: 'none' }>> {
  constructor(
    readonly agencyId: AgencyId,
    readonly endpointId: WebhookEndpointId,
  ) {
    super();
  }
}

@QueryHandler(GetReplay)
export class GetReplayHandler implements IQueryHandler<GetReplay> {
  constructor(private readonly replays: WebhookReplayRepository) {}

  async execute({ agencyId, endpointId }: GetReplay) {
    const replay = requireReplay((await this.replays.load(endpointId)).state);
    if (replay.agencyId !== agencyId) throw new DomainError('not_found');
    return replay;
  }
}
