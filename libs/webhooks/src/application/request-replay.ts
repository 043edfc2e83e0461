import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { FeedIndex, instantIn } from '#event-feed';
import { Clock, type CommandContext, type Instant, type WebhookEndpointId, type WorkspaceId } from '#kernel';
import type { DeliveryFilter } from '../domain/delivery-filter.js';
import { requireActive } from '../domain/webhook-endpoint.js';
import { type RequestedReplay, requestReplay, requireReplay } from '../domain/webhook-replay.js';
import { countDeliveries } from '../read-models/search-deliveries.js';
import { requirePresentBinding } from './present-binding.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { WebhookReplayRepository } from './webhook-replay.repository.js';

/** Replays all deliveries to an endpoint that match, of events up to now. A worker does it, new events first. */
export class RequestReplay extends Command<RequestedReplay> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly filter: DeliveryFilter,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RequestReplay)
export class RequestReplayHandler implements ICommandHandler<RequestReplay> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly replays: WebhookReplayRepository,
    private readonly queries: QueryBus,
    private readonly feed: FeedIndex,
    private readonly clock: Clock,
  ) {}

  async execute({ endpointId, filter: asked, context }: RequestReplay): Promise<RequestedReplay> {
    const { agencyId, workspaceId, ...endpoint } = requireActive((await this.endpoints.load(endpointId)).state);
    await requirePresentBinding(this.queries, { ...endpoint, agencyId, workspaceId });
    const filter = { ...asked, to: Math.min(asked.to ?? Number.MAX_SAFE_INTEGER, await this.present(workspaceId)) };
    const total = await countDeliveries(this.queries, agencyId, { ...filter, endpointId });
    const request = { endpointId, agencyId, workspaceId, filter, total };
    const { state } = await this.replays.update(
      await this.replays.load(endpointId),
      { ...context, workspaceId },
      (replay) => requestReplay(replay, request),
    );
    return requireReplay(state);
  }

  /** The time of the newest event may be later than that of its publication, as the times in a feed rise. */
  private async present(workspaceId: WorkspaceId): Promise<Instant> {
    const [newest] = await this.feed.newest(workspaceId, {}, 1);
    return Math.max(this.clock.now(), newest === undefined ? 0 : instantIn(newest.id));
  }
}
