import type { AgencyEvent } from '#agencies';
import {
  type Clock,
  type CollectionWrite,
  type DocumentStore,
  derivedUuid,
  type EventLog,
  type EventToAppend,
  type LogConsumer,
  type LogPage,
  type RecordedEvent,
  streamId,
  streamName,
  type WorkspaceId,
} from '#kernel';
import type { EventPublished } from '#publishing';
import { deliveryIdOf, type WebhookDeliveryEvent, type WebhookEndpointEvent, webhookDeliveryDecider } from '#webhooks';
import { type WebhookTarget, WebhookTargets } from './webhook-targets.js';

export const WEBHOOK_SCHEDULING = 'webhook-scheduling';

type SeenEvent = EventPublished | WebhookEndpointEvent | AgencyEvent;

const SEEN_TYPES: ReadonlySet<SeenEvent['type']> = new Set<SeenEvent['type']>([
  'eventFeed.eventPublished.v1',
  'webhookEndpoint.registered.v1',
  'webhookEndpoint.disabled.v1',
  'agency.rebound.v1',
]);

/** Appends under way at once: one after another would cost a sync to disk each. */
const AT_ONCE = 500;

/**
 * Schedules the delivery of each published event to each endpoint that there was at that place of the log (spec,
 * "Webhook delivery" 2). A delivery's stream is its reservation, and the event that begins it always has the same id, so
 * that a page may be handled any number of times.
 */
export class WebhookScheduling implements LogConsumer {
  readonly name = WEBHOOK_SCHEDULING;
  readonly types = SEEN_TYPES;
  private readonly targets: WebhookTargets;

  constructor(
    private readonly log: EventLog,
    store: DocumentStore,
    private readonly clock: Clock,
  ) {
    this.targets = new WebhookTargets(store);
  }

  takeOver(): Promise<void> {
    return this.targets.load();
  }

  async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    let underWay: Promise<void>[] = [];
    for (const event of page.events as readonly RecordedEvent<SeenEvent>[]) {
      if (event.type !== 'eventFeed.eventPublished.v1') {
        this.targets.apply(event);
        continue;
      }
      // The feed's stream is named by its workspace.
      const workspaceId = streamId(event.stream) as WorkspaceId;
      const targets = this.targets.at(workspaceId, event.position);
      underWay.push(...targets.map((target) => this.schedule(target, event)));
      if (underWay.length >= AT_ONCE) {
        await Promise.all(underWay);
        underWay = [];
      }
    }
    await Promise.all(underWay);
    return this.targets.writes();
  }

  private async schedule(target: WebhookTarget, published: RecordedEvent<EventPublished>): Promise<void> {
    const { id: endpointId, agencyId, workspaceId } = target;
    const { data, revision: feedRevision, metadata } = published;
    const { eventId, eventType, creatorId } = data;
    const deliveryId = deliveryIdOf(endpointId, eventId);
    const scheduled: EventToAppend<WebhookDeliveryEvent> = {
      id: derivedUuid('webhookDelivery.scheduled', deliveryId),
      type: 'webhookDelivery.scheduled.v1',
      data: { deliveryId, endpointId, agencyId, creatorId, eventId, eventType, workspaceId, feedRevision },
      metadata: {
        at: Math.max(this.clock.now(), metadata.at),
        correlationId: metadata.correlationId,
        causationId: published.id,
        actor: `process:${WEBHOOK_SCHEDULING}`,
        workspaceId,
      },
    };
    await this.log.append(streamName(webhookDeliveryDecider.category, deliveryId), 'none', [scheduled]);
  }
}
