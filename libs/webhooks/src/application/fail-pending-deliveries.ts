import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { TaskCommand } from '#jobs';
import {
  Clock,
  type Duration,
  EventLog,
  LanePositions,
  SECOND,
  type TaskOutcome,
  type WebhookEndpointId,
} from '#kernel';
import { READ_MODELS } from '#projections';
import { revokeDelivery } from '../domain/webhook-delivery.js';
import { recordPendingFailed } from '../domain/webhook-endpoint.js';
import { DeliveryList } from '../read-models/delivery-list.js';
import { WebhookDeliveryRepository, WebhookEndpointRepository } from './repositories.js';

/** Deliveries that fail together. The next ones are looked up when the read models show these as failed. */
const BATCH_SIZE = 200;
const CATCH_UP_TIMEOUT: Duration = 5 * SECOND;

/** Fails the pending deliveries of a disabled endpoint, due or not (D82). Postponed while the read models are behind. */
export class FailPendingDeliveries extends TaskCommand<WebhookEndpointId> {}

@CommandHandler(FailPendingDeliveries)
export class FailPendingDeliveriesHandler implements ICommandHandler<FailPendingDeliveries> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly backlog: DeliveryList,
    private readonly log: EventLog,
    private readonly positions: LanePositions,
    private readonly clock: Clock,
  ) {}

  async execute({ subject: endpointId, context }: FailPendingDeliveries): Promise<TaskOutcome> {
    const began = this.clock.now();
    for (;;) {
      const isCaughtUp = await this.positions.waitForPosition([READ_MODELS], await this.log.head(), CATCH_UP_TIMEOUT);
      if (!isCaughtUp) return { retryAt: began + SECOND };
      // Once for each batch, because the endpoint may be enabled again while the batch before it fails.
      const endpoint = await this.endpoints.load(endpointId);
      if (endpoint.state.status !== 'disabled') return 'idle';
      const pending = await this.backlog.pending(endpointId, BATCH_SIZE);
      await Promise.all(
        pending.map((id) =>
          this.deliveries.update(id, context, (delivery) => revokeDelivery(delivery, 'endpoint_disabled')),
        ),
      );
      // Deliveries that are scheduled from now on fail when they are attempted.
      if (pending.length < BATCH_SIZE) {
        await this.endpoints.update(endpoint, context, recordPendingFailed);
        return 'done';
      }
    }
  }
}
