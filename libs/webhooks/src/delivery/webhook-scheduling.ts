import { Injectable } from '@nestjs/common';
import type { EventPublished } from '#event-feed';
import type { LogConsumer, NewBeginning } from '#jobs';
import {
  type CollectionWrite,
  DocumentStore,
  type Duration,
  EventLog,
  type LogPage,
  type Position,
  processContext,
  type RecordedEvent,
  SECOND,
  streamId,
  type WorkspaceId,
} from '#kernel';
import { WebhookDeliveryRepository } from '../application/webhook-delivery.repository.js';
import { deliveryIdOf, scheduleDelivery, WEBHOOK_SCHEDULING } from '../domain/webhook-delivery.js';
import { FailingEndpoints } from './failing-endpoints.js';
import { type TargetEvent, type WebhookTarget, WebhookTargets } from './webhook-targets.js';

type SeenEvent = EventPublished | TargetEvent;

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
/** How long a page waits for the read model that judges failing endpoints; after that, a later page judges them. */
const JUDGING_TIMEOUT: Duration = SECOND;

/** To each endpoint that is active at that position and was registered before the event's cause (D84). Safe to repeat. */
@Injectable()
export class WebhookScheduling implements LogConsumer {
  readonly name = WEBHOOK_SCHEDULING;
  readonly types = SEEN_TYPES;
  private readonly targets: WebhookTargets;

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    store: DocumentStore,
    private readonly log: EventLog,
    private readonly failing: FailingEndpoints,
  ) {
    this.targets = new WebhookTargets(store);
  }

  takeOver(): Promise<void> {
    return this.targets.load();
  }

  /** Targets of another log are forgotten; a delivery that this log has already is not scheduled again. */
  async beginAgain(): Promise<NewBeginning> {
    return { position: 0, writes: await this.targets.removal() };
  }

  async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    let underWay: Promise<void>[] = [];
    for (const event of page.events as readonly RecordedEvent<SeenEvent>[]) {
      if (event.type !== 'eventFeed.eventPublished.v1') {
        this.targets.apply(event);
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
    await this.judge();
    return this.targets.writes();
  }

  retry(event: RecordedEvent): Promise<readonly CollectionWrite[]> {
    return this.handle({ events: [event], reached: event.position, atEnd: false });
  }

  /** D84: the endpoints that were registered before its cause, even if it is published much later. */
  private async targetsOf(published: RecordedEvent<EventPublished>): Promise<WebhookTarget[]> {
    // The feed's stream is named by its workspace.
    const workspaceId = streamId(published.stream) as WorkspaceId;
    const active = this.targets.at(workspaceId, published.position, published.data.eventType);
    // A feed is in the order of its causes, so that they are read only until one is later than the registration. A cause
    // that was set aside is published out of that order (D67).
    const isInOrder = published.data.retry === undefined;
    if (
      isInOrder &&
      active.every((target) => (target.pastRegistrationFrom ?? Number.POSITIVE_INFINITY) <= published.position)
    ) {
      return active;
    }
    const causedAt = await this.positionOfCause(published);
    const targets = active.filter(({ registeredAt }) => registeredAt < causedAt);
    if (isInOrder) for (const target of targets) this.targets.passedRegistration(target, published.position);
    return targets;
  }

  private async positionOfCause({ data }: RecordedEvent<EventPublished>): Promise<Position> {
    const { eventId, stream, revision } = data.cause;
    const [cause] = await this.log.readStream(stream, { from: revision, limit: 1 });
    if (cause === undefined) throw new Error(`the log has lost ${eventId}`);
    return cause.position;
  }

  private async judge(): Promise<void> {
    const deadline = performance.now() + JUDGING_TIMEOUT;
    for (const [id, attempt] of this.targets.toJudge()) {
      const timeout = Math.max(0, deadline - performance.now());
      if (await this.failing.judge(id, attempt, timeout)) this.targets.judged(id);
    }
  }

  private async schedule(target: WebhookTarget, published: RecordedEvent<EventPublished>): Promise<void> {
    const { id: endpointId, agencyId, workspaceId } = target;
    const { data, revision: feedRevision, metadata } = published;
    const { eventId, eventType, creatorId } = data;
    const deliveryId = deliveryIdOf(endpointId, eventId);
    const order = { deliveryId, endpointId, agencyId, creatorId, eventId, eventType, workspaceId, feedRevision };
    const cause = { id: published.id, correlationId: metadata.correlationId };
    const context = processContext(WEBHOOK_SCHEDULING, workspaceId, cause);
    // Only a page that is handled again finds the delivery scheduled.
    const delivery = this.deliveries.assumeNew(deliveryId);
    await this.deliveries.update(delivery, context, (state) => scheduleDelivery(state, order));
  }
}
