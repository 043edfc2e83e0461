import type { AgencyEvent } from '#agencies';
import {
  type CollectionWrite,
  type CommandRunner,
  type DocumentStore,
  type LogConsumer,
  type LogPage,
  processContext,
  type RecordedEvent,
  streamId,
  type WorkspaceId,
} from '#kernel';
import type { EventPublished } from '#publishing';
import { deliveryIdOf, scheduleDelivery, type WebhookEndpointEvent, webhookDeliveryDecider } from '#webhooks';
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
 * "Webhook delivery" 2). A delivery's stream is its reservation, so that a page may be
 * handled any number of times.
 */
export class WebhookScheduling implements LogConsumer {
  readonly name = WEBHOOK_SCHEDULING;
  readonly types = SEEN_TYPES;
  private readonly targets: WebhookTargets;

  constructor(
    private readonly runner: CommandRunner,
    store: DocumentStore,
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
    const order = { deliveryId, endpointId, agencyId, creatorId, eventId, eventType, workspaceId, feedRevision };
    const cause = { id: published.id, correlationId: metadata.correlationId };
    const context = processContext(WEBHOOK_SCHEDULING, workspaceId, cause);
    await this.runner.run(webhookDeliveryDecider, deliveryId, context, (state) => scheduleDelivery(state, order));
  }
}
