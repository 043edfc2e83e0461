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
import { laneOfReadModels, liveCollectionsOf, READ_MODELS, SetAsideList } from '#projections';
import { WebhookDeliveryRepository } from '../application/webhook-delivery.repository.js';
import { WebhookEndpointRepository } from '../application/webhook-endpoint.repository.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import { deliveryIdOf, scheduleDelivery, WEBHOOK_SCHEDULING } from '../domain/webhook-delivery.js';
import { DISABLED_AFTER_FAILING, disableFailing } from '../domain/webhook-endpoint.js';
import { type EndpointDocument, EndpointList, endpointListProjection, received } from '../read-models/endpoint-list.js';

type FailedAttempt = Extract<
  WebhookDeliveryEvent,
  { type: 'webhookDelivery.attemptFailed.v1' | 'webhookDelivery.exhausted.v1' }
>;
type SeenEvent = EventPublished | FailedAttempt;

const SEEN_TYPES: ReadonlySet<SeenEvent['type']> = new Set<SeenEvent['type']>([
  'eventFeed.eventPublished.v1',
  'webhookDelivery.attemptFailed.v1',
  'webhookDelivery.exhausted.v1',
]);

/** Concurrent appends share a sync to disk; one after another would cost one each. */
const MAX_CONCURRENT_APPENDS = 500;
const REBUILD_INTERVAL: Duration = 100;
/** About 10,000 workspaces. */
const LIMITS = { bytes: 2 * 1024 * 1024, entryBytes: 200 };

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

/**
 * To each endpoint that is active at that position and was registered before the event's cause (D84). Both follow from
 * the log, so that a page that is handled again has the same endpoints. Its lane is behind that of the read models.
 */
@Injectable()
export class WebhookScheduling implements LogConsumer {
  readonly name = WEBHOOK_SCHEDULING;
  readonly types = SEEN_TYPES;
  /** The latest cause that is known of a feed, and where it was published. */
  private readonly causes: Cache<WorkspaceId, { readonly publishedAt: Position; readonly causedAt: Position }>;

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: EndpointList,
    private readonly setAsides: SetAsideList,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly failing: FailingEndpoints,
    caches: Caches = Caches.ON,
  ) {
    this.causes = caches.create(LIMITS);
  }

  /** Waits until the other lane has rebuilt endpoints that are of another version, or of another log (D92). */
  async prepare(signal: AbortSignal): Promise<void> {
    while (!(await this.hasEndpoints())) await delay(REBUILD_INTERVAL, undefined, { signal });
  }

  async takeOver(): Promise<void> {
    this.causes.clear();
  }

  async handle({ events }: Pick<LogPage, 'events'>): Promise<readonly CollectionWrite[]> {
    const ofWorkspaces = new Map<WorkspaceId, readonly Target[]>();
    const latestFailures = new Map<WebhookEndpointId, RecordedEvent>();
    let underWay: Promise<void>[] = [];
    for (const event of events as readonly RecordedEvent<SeenEvent>[]) {
      if (event.type !== 'eventFeed.eventPublished.v1') {
        latestFailures.set(event.data.endpointId, event);
        continue;
      }
      // The feed's stream is named by its workspace.
      const workspaceId = streamId(event.stream) as WorkspaceId;
      const known = ofWorkspaces.get(workspaceId) ?? (await this.targetsOf(workspaceId));
      ofWorkspaces.set(workspaceId, known);
      const targets = await this.registeredBefore(known.filter(isActiveAt(event)), workspaceId, event);
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

  private async hasEndpoints(): Promise<boolean> {
    const { name, version } = endpointListProjection;
    const followed = await this.store.checkpoint(laneOfReadModels(READ_MODELS));
    if (followed !== undefined && !(await isOfLog(this.log, followed))) return false;
    return (await liveCollectionsOf(this.store, [endpointListProjection])).get(name)?.version === version;
  }

  private async targetsOf(workspaceId: WorkspaceId): Promise<readonly Target[]> {
    const endpoints = await this.endpoints.ofWorkspace(workspaceId);
    if (!(await this.setAsides.isComplete(workspaceId, [endpointListProjection.name])))
      throw new Error(`${endpointListProjection.name} lacks something of ${workspaceId}; run \`projections retry\``);
    const [first] = endpoints;
    if (first === undefined) return [];
    const agency = (await this.log.readStream(streamName('agency', first.agencyId))) as RecordedEvent<AgencyEvent>[];
    return endpoints.map((endpoint) => {
      const rebound = agency.find(({ type, data }) => type === 'agency.rebound.v1' && data.epoch > endpoint.epoch);
      return { ...endpoint, boundUntil: rebound?.position ?? Number.POSITIVE_INFINITY };
    });
  }

  /** D84: those that were registered before its cause, even if it is published much later. */
  private async registeredBefore(
    targets: readonly Target[],
    workspaceId: WorkspaceId,
    { position, data: { cause, retry } }: RecordedEvent<EventPublished>,
  ): Promise<readonly Target[]> {
    if (targets.length === 0) return targets;
    // A feed is in the order of its causes, so that they are read only until one is later than the registration. A cause
    // that was set aside is published out of that order (D67).
    const isInOrder = retry === undefined;
    const known = isInOrder ? this.causes.get(workspaceId) : undefined;
    if (known !== undefined && known.publishedAt <= position && targets.every(isRegisteredBefore(known.causedAt)))
      return targets;
    const [caused] = await this.log.readStream(cause.stream, { from: cause.revision, limit: 1 });
    if (caused === undefined) throw new Error(`the log has lost ${cause.eventId}`);
    const { position: causedAt } = caused;
    if (isInOrder) this.causes.set(workspaceId, { publishedAt: position, causedAt });
    return targets.filter(isRegisteredBefore(causedAt));
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

const isActiveAt =
  ({ position, data }: RecordedEvent<EventPublished>) =>
  (target: Target): boolean =>
    position < target.boundUntil && received(target, position, data.eventType);

const isRegisteredBefore =
  (position: Position) =>
  ({ registeredAt }: Target): boolean =>
    registeredAt < position;
