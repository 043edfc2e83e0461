import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AgencyEvent } from '#agencies';
import type { EventPublished } from '#event-feed';
import { ClockWatch, type LogConsumer } from '#jobs';
import {
  type Cache,
  Caches,
  type Cause,
  type CollectionWrite,
  DocumentStore,
  type Duration,
  EventLog,
  type Instant,
  isOfLog,
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
import { DeadLetterList, laneOfReadModels, liveCollectionsOf, READ_MODELS } from '#projections';
import { WebhookDeliveryRepository, WebhookEndpointRepository } from '../application/repositories.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import { deliveryIdOf, scheduleDelivery, WEBHOOK_SCHEDULING } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { DISABLED_AFTER_FAILING, disableFailing } from '../domain/webhook-endpoint.js';
import { type EndpointDocument, EndpointList, endpointListProjection, received } from '../read-models/endpoint-list.js';

type FailedAttempt = Extract<
  WebhookDeliveryEvent,
  { type: 'webhookDelivery.attemptFailed.v1' | 'webhookDelivery.exhausted.v1' }
>;
/** Changes which events an endpoint receives. */
type TargetEvent =
  | Extract<AgencyEvent, { type: 'agency.rebound.v1' }>
  | Extract<
      WebhookEndpointEvent,
      { type: `webhookEndpoint.${'registered.v2' | `${'typesChosen' | 'disabled' | 'enabled'}.v1`}` }
    >;
type SeenEvent = EventPublished | FailedAttempt | TargetEvent;

const SEEN_TYPES: ReadonlySet<SeenEvent['type']> = new Set<SeenEvent['type']>([
  'eventFeed.eventPublished.v1',
  'webhookEndpoint.registered.v2',
  'webhookEndpoint.typesChosen.v1',
  'webhookEndpoint.disabled.v1',
  'webhookEndpoint.enabled.v1',
  'webhookDelivery.attemptFailed.v1',
  'webhookDelivery.exhausted.v1',
  'agency.rebound.v1',
]);

/** Concurrent appends share a sync to disk; one after another would cost one each. */
const MAX_CONCURRENT_APPENDS = 500;
const REBUILD_INTERVAL: Duration = 100;
/** Several thousand workspaces. */
const LIMITS = { bytes: 8 * 1024 * 1024 };

/** Disables the endpoints that have had no success for five days (D82). */
@Injectable()
export class FailingEndpoints {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly list: EndpointList,
    private readonly clocks: ClockWatch,
    private readonly logger: Logger,
  ) {}

  /** By its latest failed attempt, which the list shows. */
  async judge(endpointId: WebhookEndpointId, at: Instant, cause: Cause): Promise<void> {
    // One of the two times may be false (D93). A later attempt is judged by a clock without a fault.
    if (this.clocks.faults.length > 0) return;
    const since = await this.list.failingSince(endpointId);
    if (since === null || at - since < DISABLED_AFTER_FAILING) return;
    const loaded = await this.endpoints.load(endpointId);
    const { state } = loaded;
    if (state.status === 'unknown') return;
    const context = processContext('webhooks', state.workspaceId, cause);
    const { events } = await this.endpoints.update(loaded, context, (endpoint) => disableFailing(endpoint, since, at));
    if (events.length === 0) return;
    const fields = { endpointId, agencyId: state.agencyId, failingSince: new Date(since).toISOString() };
    this.logger.warn(fields, 'webhook endpoint disabled: every attempt has failed for five days');
  }
}

interface Target extends EndpointDocument {
  /** Where another binding begins, whose events are not for it (D19). */
  readonly boundUntil: Position;
}

/** Where events are published, and for whom. */
interface Feed {
  readonly targets: readonly Target[];
  /** The latest cause that is known, and where it was published. */
  readonly cause?: { readonly publishedAt: Position; readonly causedAt: Position };
}

/**
 * To each endpoint that is active at that position and was registered before the event's cause (D84). Both follow from
 * the log, so that a page that is handled again has the same endpoints. Its lane is behind that of the read models.
 */
@Injectable()
export class WebhookScheduling implements LogConsumer {
  readonly name = WEBHOOK_SCHEDULING;
  readonly types = SEEN_TYPES;
  private readonly feeds: Cache<WorkspaceId, Feed>;

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: EndpointList,
    private readonly deadLetters: DeadLetterList,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly failing: FailingEndpoints,
    caches: Caches = Caches.ON,
  ) {
    this.feeds = caches.create(LIMITS);
  }

  /** Waits until the other lane has rebuilt endpoints that are of another version, or of another log (D92). */
  async prepare(signal: AbortSignal): Promise<void> {
    while (!(await this.hasEndpoints())) await delay(REBUILD_INTERVAL, undefined, { signal });
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
        continue;
      }
      if (event.type !== 'eventFeed.eventPublished.v1') {
        this.forgetFeed(event.metadata.workspaceId);
        continue;
      }
      const targets = await this.targetsOf(event);
      underWay.push(...targets.map((target) => this.schedule(target, event)));
      if (underWay.length >= MAX_CONCURRENT_APPENDS) {
        await Promise.all(underWay);
        underWay = [];
      }
    }
    await Promise.all(underWay);
    for (const [endpointId, { id, metadata }] of latestFailures) {
      await this.failing.judge(endpointId, metadata.at, { id, correlationId: metadata.correlationId });
    }
    return [];
  }

  retry(event: RecordedEvent): Promise<readonly CollectionWrite[]> {
    return this.handle({ events: [event] });
  }

  /** An event that names no workspace may concern any of them. */
  private forgetFeed(workspaceId: WorkspaceId | null): void {
    if (workspaceId === null) this.feeds.clear();
    else this.feeds.delete(workspaceId);
  }

  private async hasEndpoints(): Promise<boolean> {
    const { name, version } = endpointListProjection;
    const followed = await this.store.checkpoint(laneOfReadModels(READ_MODELS));
    if (followed !== undefined && !(await isOfLog(this.log, followed))) return false;
    return (await liveCollectionsOf(this.store, [endpointListProjection])).get(name)?.version === version;
  }

  /** D84: those that are active, and were registered before its cause, even if it is published much later. */
  private async targetsOf(published: RecordedEvent<EventPublished>): Promise<readonly Target[]> {
    const { position, data } = published;
    // The feed's stream is named by its workspace.
    const workspaceId = streamId(published.stream) as WorkspaceId;
    const feed = this.feeds.get(workspaceId) ?? (await this.feedOf(workspaceId));
    const active = feed.targets.filter(
      (target) => position < target.boundUntil && received(target, position, data.eventType),
    );
    const { cause } = feed;
    // A feed is in the order of its causes, so that they are read only until one is later than the registration. A cause
    // that was set aside is published out of that order (D67).
    const isInOrder = data.retry === undefined;
    const isKnown = isInOrder && cause !== undefined && cause.publishedAt <= position;
    if (active.every(({ registeredAt }) => isKnown && registeredAt < cause.causedAt)) return active;
    const causedAt = await this.positionOfCause(data);
    if (isInOrder) this.feeds.set(workspaceId, { ...feed, cause: { publishedAt: position, causedAt } });
    return active.filter(({ registeredAt }) => registeredAt < causedAt);
  }

  private async feedOf(workspaceId: WorkspaceId): Promise<Feed> {
    const endpoints = await this.endpoints.ofWorkspace(workspaceId);
    if (!(await this.deadLetters.isComplete(workspaceId, [endpointListProjection.name])))
      throw new Error(`${endpointListProjection.name} lacks something of ${workspaceId}; run \`projections retry\``);
    const [first] = endpoints;
    const agency = first === undefined ? [] : await this.log.readStream(streamName('agency', first.agencyId));
    const targets = endpoints.map((endpoint) => {
      const isLater = ({ type, data }: RecordedEvent<AgencyEvent>) =>
        type === 'agency.rebound.v1' && data.epoch > endpoint.epoch;
      const rebound = (agency as RecordedEvent<AgencyEvent>[]).find(isLater);
      return { ...endpoint, boundUntil: rebound?.position ?? Number.POSITIVE_INFINITY };
    });
    this.feeds.set(workspaceId, { targets });
    return { targets };
  }

  private async positionOfCause({ cause }: EventPublished['data']): Promise<Position> {
    const [caused] = await this.log.readStream(cause.stream, { from: cause.revision, limit: 1 });
    if (caused === undefined) throw new Error(`the log has lost ${cause.eventId}`);
    return caused.position;
  }

  private async schedule(
    { id: endpointId, agencyId, workspaceId }: Target,
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
