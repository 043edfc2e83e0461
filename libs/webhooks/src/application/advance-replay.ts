import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { DueCommand } from '#jobs';
import {
  Clock,
  type DueOutcome,
  type Duration,
  EventLog,
  type Position,
  Progress,
  SECOND,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { DASHBOARD_READ_MODELS, READ_MODELS } from '#projections';
import type { ReplayEnd } from '../domain/webhook-replay.events.js';
import { advanceReplay, endReplay, type RunningReplay } from '../domain/webhook-replay.js';
import { DeliveryList } from '../read-models/delivery-list.js';
import { SearchDeliveries } from '../read-models/search-deliveries.js';
import { ReplayDelivery } from './replay-delivery.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { WebhookReplayRepository } from './webhook-replay.repository.js';

/** So many of its deliveries are pending at most, so that new events wait for few of them. */
const MAX_PENDING = 200;
const POLL_INTERVAL: Duration = SECOND;
const CATCH_UP_TIMEOUT: Duration = 5 * SECOND;

/** Replays the next deliveries of a replay. Interrupted, it does so again; each delivery is replayed once for a replay. */
export class AdvanceReplay extends DueCommand<WebhookEndpointId> {}

@CommandHandler(AdvanceReplay)
export class AdvanceReplayHandler implements ICommandHandler<AdvanceReplay> {
  constructor(
    private readonly replays: WebhookReplayRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: DeliveryList,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly log: EventLog,
    private readonly progress: Progress,
    private readonly clock: Clock,
  ) {}

  async execute({ subject: endpointId, context }: AdvanceReplay): Promise<DueOutcome> {
    const retryAt = this.clock.now() + POLL_INTERVAL;
    const head = await this.log.head();
    // Before the replay is loaded: a person may end it during this wait.
    if (!(await this.hasPassed(head))) return { retryAt };
    const loaded = await this.replays.load(endpointId);
    const { state } = loaded;
    if (state.status !== 'running') return 'idle';
    // Requested during the wait: the read models may lack what happened before it.
    if (loaded.position > head) return { retryAt };
    const obstacle = await this.obstacle(state);
    if (obstacle !== undefined) {
      await this.replays.update(loaded, context, (replay) => endReplay(replay, obstacle));
      return 'done';
    }
    const { agencyId, number, filter, after } = state;
    const room = MAX_PENDING - (await this.deliveries.replaying(endpointId, number, MAX_PENDING));
    if (room <= 0) return { retryAt };
    const search = new SearchDeliveries(agencyId, { ...filter, endpointId }, room, after ?? undefined);
    const { deliveries, next } = await this.queries.execute(search);
    const ids = deliveries.map(({ id }) => id as WebhookDeliveryId);
    await Promise.all(ids.map((id) => this.commands.execute(new ReplayDelivery(id, context, number))));
    const step = { number, before: after, replayed: ids.length, next: next?.id ?? null };
    await this.replays.update(loaded, context, (replay) => advanceReplay(replay, step));
    return 'done';
  }

  /** Why nothing can be sent to the endpoint any more. */
  private async obstacle({ endpointId, agencyId }: RunningReplay): Promise<ReplayEnd | undefined> {
    const { state: endpoint } = await this.endpoints.load(endpointId);
    if (endpoint.status !== 'active') return 'endpoint_disabled';
    const { epoch } = await this.queries.execute(new GetBinding(agencyId));
    return endpoint.epoch < epoch ? 'access_revoked' : undefined;
  }

  private hasPassed(head: Position): Promise<boolean> {
    return this.progress.passed([READ_MODELS, DASHBOARD_READ_MODELS], head, CATCH_UP_TIMEOUT);
  }
}
