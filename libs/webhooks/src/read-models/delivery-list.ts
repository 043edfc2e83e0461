import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { PublicEventType } from '#event-feed';
import { type DeadLetterEvent, TASK_FIELDS } from '#jobs';
import {
  type AgencyId,
  type CreatorId,
  type Document,
  type Instant,
  NEVER,
  type PublicEventId,
  projection,
  type RangeQuery,
  type Revision,
  streamId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { boundedSearch, type ReadModel } from '#projections';
import type { AttemptResult, DeliveryStatus, WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';

export interface DeliveryDocument extends Document {
  readonly agencyId: AgencyId;
  readonly endpointId: WebhookEndpointId;
  readonly creatorId: CreatorId;
  readonly eventId: PublicEventId;
  readonly eventType: PublicEventType;
  /** The event's revision in its feed, which orders the agency's deliveries. */
  readonly feedRevision: Revision;
  readonly status: DeliveryStatus;
  /** When a pending one is due; when another was delivered or failed. */
  readonly at: Instant;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** The number of the endpoint's replay of all that matches which has made it pending last; null for none. */
  readonly replay: number | null;
  /** Its endpoint, and when its next attempt may start, which the leader postpones without an event; null if it is not pending. */
  readonly lane: WebhookEndpointId | null;
  readonly readyAt: Instant | null;
  /** Attempts in a row that could not be made, and how many of these failures were its own. */
  readonly failures: number;
  readonly tries: number;
}

export type DeliveryTask = Pick<DeliveryDocument, 'id' | 'failures' | 'tries'> & {
  readonly lane: WebhookEndpointId;
  readonly readyAt: Instant;
};

const pending = <Delivery extends { readonly endpointId: WebhookEndpointId }>(
  delivery: Delivery,
  readyAt: Instant,
) => ({
  ...delivery,
  status: 'pending' as const,
  at: readyAt,
  lane: delivery.endpointId,
  readyAt,
  failures: 0,
  tries: 0,
});

const ended = (delivery: DeliveryDocument, status: 'delivered' | 'failed', at: Instant): DeliveryDocument => ({
  ...delivery,
  status,
  at,
  lane: null,
  readyAt: null,
  failures: 0,
  tries: 0,
});

const tried = (delivery: DeliveryDocument, { attempt, status, error }: AttemptResult) => ({
  ...delivery,
  attempts: attempt,
  lastStatus: status,
  lastError: error,
});

const ofStream = { documents: ({ stream }: { stream: string }) => streamId(stream) };

const ofItem = {
  documents: ({ data: { item } }: { data: DeadLetterEvent['data'] }) =>
    item.kind === 'delivery' ? item.deliveryId : [],
};

export const deliveryListProjection = projection<DeliveryDocument, WebhookDeliveryEvent | DeadLetterEvent>({
  name: 'webhook_deliveries',
  version: 8,
  indexes: [
    { name: 'agency', fields: ['agencyId', 'status', 'eventId'] },
    { name: 'endpoint', fields: ['endpointId', 'eventId'] },
    { name: 'ready', fields: ['readyAt', 'lane', 'failures', 'tries'] },
    { name: 'lane', fields: ['lane', 'readyAt', 'feedRevision', 'failures', 'tries', 'replay'] },
  ],
  operationalFields: TASK_FIELDS,
  on: {
    'webhookDelivery.scheduled.v1': {
      ...ofStream,
      fold: (_, { data, metadata }) => {
        const { deliveryId: id, agencyId, endpointId, creatorId, eventId, eventType, feedRevision } = data;
        const order = { agencyId, endpointId, creatorId, eventId, eventType, feedRevision };
        const untried = { attempts: 0, lastStatus: null, lastError: null, replay: null };
        return pending({ id, ...order, ...untried }, metadata.at);
      },
    },
    'webhookDelivery.attemptFailed.v1': {
      ...ofStream,
      fold: (delivery, { data }) => delivery && pending(tried(delivery, data), data.nextAttemptAt),
    },
    'webhookDelivery.delivered.v1': {
      ...ofStream,
      fold: (delivery, { data, metadata }) => delivery && ended(tried(delivery, data), 'delivered', metadata.at),
    },
    'webhookDelivery.exhausted.v1': {
      ...ofStream,
      fold: (delivery, { data, metadata }) => delivery && ended(tried(delivery, data), 'failed', metadata.at),
    },
    'webhookDelivery.postponed.v1': {
      ...ofStream,
      fold: (delivery, { data }) => delivery && pending(delivery, data.until),
    },
    'webhookDelivery.revoked.v1': {
      ...ofStream,
      fold: (delivery, { data, metadata }) =>
        delivery && ended({ ...delivery, lastError: data.reason }, 'failed', metadata.at),
    },
    'webhookDelivery.replayRequested.v1': {
      ...ofStream,
      fold: (delivery, { data, metadata }) =>
        delivery && pending({ ...delivery, replay: data.replay ?? null }, metadata.at),
    },
    // D67: not due before it is retried.
    'setAside.setAside.v1': {
      ...ofItem,
      fold: (delivery) =>
        delivery?.status === 'pending' ? pending({ ...delivery, lastError: 'set_aside' }, NEVER) : delivery,
    },
    'setAside.retried.v1': {
      ...ofItem,
      fold: (delivery, { metadata }) =>
        delivery?.status === 'pending' ? pending({ ...delivery, lastError: null }, metadata.at) : delivery,
    },
  },
});

/** Where a delivery is in a search, which has the newest event first. The ids of events rise in the order of the feed. */
export type DeliveryPlace = Pick<DeliveryDocument, 'id' | 'eventId'>;

const descending = (one: string, other: string): number => (one < other ? 1 : -Number(one > other));

export const newestFirst = (one: DeliveryPlace, other: DeliveryPlace): number =>
  descending(one.eventId, other.eventId) || descending(one.id, other.id);

/** A part of an index that ends with the ids of events. */
export type DeliveryRange = Pick<RangeQuery, 'index' | 'gte'> & {
  readonly equals: readonly string[];
  readonly lt?: string;
};
type PendingDelivery = Pick<DeliveryDocument, 'id' | 'readyAt' | 'feedRevision' | 'replay'>;

/** Deliveries for operators to see, and for the worker to do. It lags, so its users load the stream before they act. */
export class DeliveryList {
  constructor(private readonly documents: ReadModel<DeliveryDocument>) {}

  /** That of the earliest event in the feed. */
  async first(agencyId: AgencyId, status: DeliveryStatus): Promise<DeliveryDocument | undefined> {
    const [first] = await this.documents.find({ index: 'agency', equals: [agencyId, status], limit: 1 });
    return first;
  }

  getMany(ids: readonly WebhookDeliveryId[]): Promise<DeliveryDocument[]> {
    return this.documents.getMany(ids);
  }

  /** Those of all ranges, newest first, after a delivery. */
  async newest(ranges: readonly DeliveryRange[], after: DeliveryPlace | undefined, limit: number) {
    const found = await Promise.all(ranges.map((range) => this.newestOf(range, after, limit)));
    return found.flat().toSorted(newestFirst).slice(0, limit);
  }

  /** Those that its replay of that number has made pending, due or not, up to a limit. Reads all that is pending. */
  async replaying(endpointId: WebhookEndpointId, replay: number, limit: number): Promise<WebhookDeliveryId[]> {
    const { matches } = await boundedSearch({
      read: (last: PendingDelivery | undefined, most) => this.pendingAfter(endpointId, last, most),
      matchesIn: (page) => page.filter((entry) => entry.replay === replay),
      limit,
      maxEntries: Number.POSITIVE_INFINITY,
    });
    return matches.map(({ id }) => id as WebhookDeliveryId);
  }

  /** Deliveries to the endpoint that are pending, due or not. */
  async pending(endpointId: WebhookEndpointId, limit: number): Promise<WebhookDeliveryId[]> {
    return (await this.pendingAfter(endpointId, undefined, limit)).map(({ id }) => id as WebhookDeliveryId);
  }

  private async newestOf(range: DeliveryRange, after: DeliveryPlace | undefined, limit: number) {
    const find = (more: Partial<RangeQuery>) => this.documents.find({ ...range, order: 'descending', limit, ...more });
    if (after === undefined) return find({});
    const { index, equals, lt = after.eventId } = range;
    // Several endpoints get the same event.
    const [ofEvent, ofOlder] = await Promise.all([
      this.documents.find({ index, equals: [...equals, after.eventId], lt: after.id, order: 'descending', limit }),
      find({ lt: after.eventId < lt ? after.eventId : lt }),
    ]);
    return [...ofEvent, ...ofOlder];
  }

  /** No two deliveries to an endpoint have the same revision, so those of one moment are continued after it. */
  private async pendingAfter(endpointId: WebhookEndpointId, last: PendingDelivery | undefined, limit: number) {
    const find = (along: Pick<RangeQuery, 'equals' | 'gt' | 'gte'>) =>
      this.documents.findEntries<'readyAt' | 'feedRevision' | 'replay'>({ index: 'lane', ...along, limit });
    if (last === undefined) return find({ equals: [endpointId], gte: 0 });
    const [ofSameMoment, later] = await Promise.all([
      find({ equals: [endpointId, last.readyAt], gt: last.feedRevision }),
      find({ equals: [endpointId], gt: last.readyAt ?? NEVER }),
    ]);
    return [...ofSameMoment, ...later].slice(0, limit);
  }
}

/** When the first of the deliveries that were delivered was, in the order of the feed; null before any was. */
export class FirstDelivered extends Query<Instant | null> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(FirstDelivered)
export class FirstDeliveredHandler implements IQueryHandler<FirstDelivered> {
  constructor(private readonly deliveries: DeliveryList) {}

  async execute({ agencyId }: FirstDelivered): Promise<Instant | null> {
    const first = await this.deliveries.first(agencyId, 'delivered');
    return first?.at ?? null;
  }
}
