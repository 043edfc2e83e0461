import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Visibility, VisibleEvents } from '#event-feed';
import {
  type AgencyId,
  DomainError,
  EventLog,
  type Instant,
  type RecordedEvent,
  streamName,
  type WebhookDeliveryId,
} from '#kernel';
import {
  type AttemptResult,
  type KnownDelivery,
  requireKnown,
  type WebhookDeliveryEvent,
} from '../domain/webhook-delivery.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { WebhookDeliveryRepository } from './repositories.js';
import { SignedSending } from './signed-sending.js';

type ShownAttempt = AttemptResult & { readonly recordedAt: Instant };

export interface ShownDelivery {
  readonly delivery: KnownDelivery;
  /** Oldest first; the latest 200. */
  readonly attempts: readonly ShownAttempt[];
  /** The bytes that are sent, or why nothing may be sent. */
  readonly event: Visibility;
  /** The headers of the latest attempt; null before one, for one of an earlier build, and if its secret is gone. */
  readonly headers: Readonly<Record<string, string>> | null;
}

/** Replays have no end, so that the stream of a delivery may become long. */
const MAX_EVENTS = 200;

/** One delivery of the agency, with its attempts. Rejects with `not_found`. */
export class GetDelivery extends Query<ShownDelivery> {
  constructor(
    readonly agencyId: AgencyId,
    readonly deliveryId: WebhookDeliveryId,
  ) {
    super();
  }
}

@QueryHandler(GetDelivery)
export class GetDeliveryHandler implements IQueryHandler<GetDelivery> {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly log: EventLog,
    private readonly events: VisibleEvents,
    private readonly sending: SignedSending,
  ) {}

  async execute({ agencyId, deliveryId }: GetDelivery): Promise<ShownDelivery> {
    const delivery = requireKnown((await this.deliveries.load(deliveryId)).state);
    if (delivery.agencyId !== agencyId) throw new DomainError('not_found');
    const stream = streamName('webhookDelivery', deliveryId);
    const newest = await this.log.readStream(stream, { direction: 'backwards', limit: MAX_EVENTS });
    const attempts = (newest as RecordedEvent<WebhookDeliveryEvent>[]).flatMap(attemptIn).toReversed();
    const published = await this.events.read(delivery.workspaceId, [delivery.feedRevision]);
    const rule = await this.events.ruleFor([delivery.creatorId]);
    const event = rule(delivery, published.get(delivery.feedRevision));
    const sentAt = attempts.at(-1)?.sentAt;
    const isShown = event.kind === 'visible' && sentAt !== undefined;
    const headers = isShown ? await this.headersSent(delivery, Buffer.from(event.bytes), sentAt) : null;
    return { delivery, attempts, event, headers };
  }

  /** As they follow from the secrets that were in force then. */
  private async headersSent({ endpointId, eventId }: KnownDelivery, body: Buffer, sentAt: Instant) {
    const { category, initial, evolve } = webhookEndpointDecider;
    const events = await this.log.readStream(streamName(category, endpointId));
    const then = events
      .filter(({ metadata }) => metadata.at <= sentAt)
      .reduce((state, event) => evolve(state, event as never, event.metadata.at), initial);
    if (then.status === 'unknown') return null;
    try {
      return this.sending.headers(then, eventId, body, sentAt);
    } catch {
      // D85: a secret that no longer signs is not encrypted again with a new master key.
      return null;
    }
  }
}

const attemptIn = ({ type, data, metadata }: RecordedEvent<WebhookDeliveryEvent>): ShownAttempt[] => {
  if (!('attempt' in data) || type === 'webhookDelivery.scheduled.v1') return [];
  return [{ ...data, recordedAt: metadata.at }];
};
