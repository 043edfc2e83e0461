import { Injectable } from '@nestjs/common';
import type { AgencyEvent } from '#agencies';
import type { EventPublished } from '#event-feed';
import { type LogConsumer } from '#jobs';
import {
  type Cache,
  Caches,
  ClockWatch,
  type CollectionWrite,
  EventLog,
  Logger,
  type LogPage,
  type Position,
  processContext,
  type RecordedEvent,
  streamId,
  streamName,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import { DeadLetterList } from '#projections';
import { WebhookDeliveryRepository, WebhookEndpointRepository } from '../application/repositories.js';
import {
  deliveryIdOf,
  scheduleDelivery,
  WEBHOOK_SCHEDULING,
  type WebhookDeliveryEvent,
} from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { DISABLED_AFTER_FAILING, disableFailing } from '../domain/webhook-endpoint.js';
import { type EndpointDocument, EndpointList, endpointListProjection, received } from '../read-models/endpoint-list.js';

type SeenEvent = EventPublished | AgencyEvent | WebhookEndpointEvent | WebhookDeliveryEvent;

const SEEN_TYPES: ReadonlySet<SeenEvent['type']> = new Set<SeenEvent['type']>([
  'eventFeed.eventPublished.v1',
  'webhookDelivery.attemptFailed.v1',
  'webhookDelivery.exhausted.v1',
  // These change which events an endpoint receives.
  'webhookEndpoint.registered.v2',
  'webhookEndpoint.typesChosen.v1',
  'webhookEndpoint.disabled.v1',
  'webhookEndpoint.enabled.v1',
  'agency.rebound.v1',
]);

/** Concurrent appends share a sync to disk; one after another would cost one each. */
const MAX_CONCURRENT_APPENDS = 500;
/** Several thousand workspaces. */
const LIMITS = { bytes: 8 * 1024 * 1024 };

const NOT_FAILING = { failingSince: null, failingFrom: null };

interface Feed {
  readonly targets: readonly EndpointDocument[];
  /** The targets of what is published from here on were registered before its causes. */
  readonly settledFrom: Position;
}

/** Which endpoints get an event follows from the log alone, so a page that is handled again has the same ones (D84). */
@Injectable()
export class WebhookScheduling implements LogConsumer {
  readonly name = WEBHOOK_SCHEDULING;
  readonly types = SEEN_TYPES;
  private readonly feeds: Cache<WorkspaceId, Feed>;

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly list: EndpointList,
    private readonly deadLetters: DeadLetterList,
    private readonly log: EventLog,
    private readonly clocks: ClockWatch,
    private readonly logger: Logger,
    caches: Caches = Caches.ON,
  ) {
    this.feeds = caches.create(LIMITS);
  }

  async takeOver(): Promise<void> {
    this.feeds.clear();
  }

  async handle({ events }: Pick<LogPage, 'events'>): Promise<readonly CollectionWrite[]> {
    const latestFailures = new Map<WebhookEndpointId, RecordedEvent>();
    let underWay: Promise<void>[] = [];
    for (const event of events as readonly RecordedEvent<SeenEvent>[]) {
      if (event.type === 'webhookDelivery.attemptFailed.v1' || event.type === 'webhookDelivery.exhausted.v1') {
        latestFailures.set(event.data.endpointId, event);
      } else if (event.type === 'eventFeed.eventPublished.v1') {
        const targets = await this.targetsOf(event);
        underWay.push(...targets.map((target) => this.schedule(target, event)));
        if (underWay.length < MAX_CONCURRENT_APPENDS) continue;
        await Promise.all(underWay);
        underWay = [];
      } else if (event.metadata.workspaceId === null) {
        // It may concern any of them.
        this.feeds.clear();
      } else {
        this.feeds.delete(event.metadata.workspaceId);
      }
    }
    await Promise.all(underWay);
    for (const [endpointId, failure] of latestFailures) await this.disableIfFailing(endpointId, failure);
    return [];
  }

  /** Disables an endpoint that has had no success for five days (D82). */
  async disableIfFailing(endpointId: WebhookEndpointId, { id, metadata }: RecordedEvent): Promise<void> {
    const { failingSince: since, failingFrom: position } = (await this.list.get(endpointId)) ?? NOT_FAILING;
    if (since === null || position === null) return;
    // While a clock fault stands, both times may be wrong, so the monotonic clock decides (D93).
    const isMeasured = this.clocks.faults.length > 0;
    const left = isMeasured
      ? this.clocks.remainingFor({ position, at: since }, DISABLED_AFTER_FAILING)
      : since + DISABLED_AFTER_FAILING - metadata.at;
    if (left > 0) return;
    const endpoint = await this.endpoints.find(endpointId);
    const { agencyId, workspaceId } = endpoint.state;
    const context = processContext('webhooks', workspaceId, { id, correlationId: metadata.correlationId });
    const { events } = await this.endpoints.update(endpoint, context, (state) => disableFailing(state, since));
    if (events.length === 0) return;
    const fields = { endpointId, agencyId, failingSince: new Date(since).toISOString() };
    this.logger.warn(fields, 'webhook endpoint disabled: every attempt has failed for five days');
  }

  retry(event: RecordedEvent): Promise<readonly CollectionWrite[]> {
    return this.handle({ events: [event] });
  }

  /** D84: those that are active, and were registered before its cause, even if it is published much later. */
  private async targetsOf(published: RecordedEvent<EventPublished>): Promise<readonly EndpointDocument[]> {
    const { position, data } = published;
    // The feed's stream is named by its workspace.
    const workspaceId = streamId(published.stream) as WorkspaceId;
    const feed = this.feeds.get(workspaceId) ?? (await this.feedOf(workspaceId));
    const active = feed.targets.filter((target) => received(target, position, data.eventType));
    // A feed is in the order of its causes, so that they are read only until one is later than all registrations. A cause
    // that was set aside is published out of that order (D67).
    const isInOrder = data.retry === undefined;
    if (active.length === 0 || (isInOrder && position >= feed.settledFrom)) return active;
    const causedAt = await this.positionOfCause(data);
    const isBefore = ({ registeredAt }: EndpointDocument) => registeredAt < causedAt;
    if (isInOrder && feed.targets.every(isBefore)) this.feeds.set(workspaceId, { ...feed, settledFrom: position });
    return active.filter(isBefore);
  }

  private async feedOf(workspaceId: WorkspaceId): Promise<Feed> {
    const endpoints = await this.list.ofWorkspace(workspaceId);
    if (!(await this.deadLetters.isComplete(workspaceId, [endpointListProjection.name])))
      throw new Error(`${endpointListProjection.name} is incomplete for ${workspaceId}; run \`projections retry\``);
    const [first] = endpoints;
    const agency = first === undefined ? [] : await this.log.readStream(streamName('agency', first.agencyId));
    const targets = endpoints.map((endpoint) => {
      const isLater = ({ type, data }: RecordedEvent<AgencyEvent>) =>
        type === 'agency.rebound.v1' && data.epoch > endpoint.epoch;
      const end = (agency as RecordedEvent<AgencyEvent>[]).find(isLater)?.position ?? Number.POSITIVE_INFINITY;
      // Another binding begins there, whose events are not for it (D19).
      const spans = endpoint.spans.map((span) => ({ ...span, until: Math.min(span.until ?? end, end) }));
      return { ...endpoint, spans };
    });
    const feed = { targets, settledFrom: Number.POSITIVE_INFINITY };
    this.feeds.set(workspaceId, feed);
    return feed;
  }

  private async positionOfCause({ cause }: EventPublished['data']): Promise<Position> {
    const [caused] = await this.log.readStream(cause.stream, { from: cause.revision, limit: 1 });
    if (caused === undefined) throw new Error(`the log has lost ${cause.eventId}`);
    return caused.position;
  }

  private async schedule(
    { id: endpointId, agencyId, workspaceId }: EndpointDocument,
    { id, data, revision: feedRevision, metadata }: RecordedEvent<EventPublished>,
  ): Promise<void> {
    const { eventId, eventType, creatorId } = data;
    const deliveryId = deliveryIdOf(endpointId, eventId);
    const order = { deliveryId, endpointId, agencyId, creatorId, eventId, eventType, workspaceId, feedRevision };
    const context = processContext(WEBHOOK_SCHEDULING, workspaceId, { id, correlationId: metadata.correlationId });
    // Only a page that is handled again finds the delivery scheduled.
    const delivery = this.deliveries.assumeNew(deliveryId);
    await this.deliveries.update(delivery, context, (state) => scheduleDelivery(state, order));
  }
}
