import { dueContext } from '#jobs';
import {
  type DueHandler,
  type DueOutcome,
  type Instant,
  MINUTE,
  SECOND,
  type StoredDueItem,
  type WebhookEndpointId,
} from '#kernel';
import type { WebhookDeliveryRepository } from '../application/webhook-delivery.repository.js';
import type { WebhookEndpointRepository } from '../application/webhook-endpoint.repository.js';
import { revokeDelivery } from '../domain/webhook-delivery.js';
import { recordPendingFailed } from '../domain/webhook-endpoint.js';
import type { DeliveryList } from '../read-models/delivery-list.js';

/** Deliveries that fail together. The next ones are looked up when the read models show these as failed. */
const BATCH_SIZE = 200;

/** Fails the pending deliveries of a disabled endpoint, due or not (D82). */
export class DisabledEndpoints implements DueHandler {
  readonly kind = 'disabledEndpoint';
  readonly concurrency = 2;
  readonly ttl = 10 * MINUTE;

  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly backlog: Pick<DeliveryList, 'pending'>,
    /** Resolves to whether the backlog shows all that the log holds now. */
    private readonly caughtUp: () => Promise<boolean>,
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const endpointId = item.subject as WebhookEndpointId;
    for (;;) {
      if (!(await this.caughtUp())) return { retryAt: now + SECOND };
      const endpoint = await this.endpoints.load(endpointId);
      // No event follows, so the claim would only expire, and the item be claimed again.
      if (endpoint.state.status !== 'disabled') return 'idle';
      const pending = await this.backlog.pending(endpointId, BATCH_SIZE);
      if (pending.length === 0) {
        await this.endpoints.update(endpoint, dueContext(item), recordPendingFailed);
        return 'done';
      }
      await Promise.all(
        pending.map((id) =>
          this.deliveries.update(id, dueContext(item), (delivery) => revokeDelivery(delivery, 'endpoint_disabled')),
        ),
      );
    }
  }
}
