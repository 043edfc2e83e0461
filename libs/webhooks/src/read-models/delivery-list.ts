import { type DeadLetterEvent, TASK_FIELDS } from '#jobs';
import {
  type Document,
  type Instant,
  NEVER,
  projection,
  type RangeQuery,
  streamId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import type { ReadModel } from '#projections';
import type {
  AttemptResult,
  DeliveryStatus,
  ScheduledDelivery,
  WebhookDeliveryEvent,
} from '../domain/webhook-delivery.js';

export interface DeliveryDocument extends Document, Omit<ScheduledDelivery, 'deliveryId' | 'workspaceId'> {
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

/** A delivery without what its status decides. */
type Ordered = Omit<DeliveryDocument, 'status' | 'at' | 'lane' | 'readyAt' | 'failures' | 'tries'>;

const became = (delivery: Ordered, status: DeliveryStatus, at: Instant): DeliveryDocument => {
  const ready = status === 'pending' ? { lane: delivery.endpointId, readyAt: at } : { lane: null, readyAt: null };
  return { ...delivery, status, at, ...ready, failures: 0, tries: 0 };
};

const tried = (delivery: DeliveryDocument, { attempt, status, error }: AttemptResult) => ({
  ...delivery,
  attempts: attempt,
  lastStatus: status,
  lastError: error,
});

const ofStream = { documents: ({ stream }: { readonly stream: string }) => streamId(stream) };

const changed = <Event>(change: (delivery: DeliveryDocument, event: Event) => DeliveryDocument) => ({
  ...ofStream,
  fold: (delivery: DeliveryDocument | undefined, event: Event) => delivery && change(delivery, event),
});

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
        return became({ id, ...order, ...untried }, 'pending', metadata.at);
      },
    },
    'webhookDelivery.attemptFailed.v1': changed((delivery, { data }) =>
      became(tried(delivery, data), 'pending', data.nextAttemptAt),
    ),
    'webhookDelivery.delivered.v1': changed((delivery, { data, metadata }) =>
      became(tried(delivery, data), 'delivered', metadata.at),
    ),
    'webhookDelivery.exhausted.v1': changed((delivery, { data, metadata }) =>
      became(tried(delivery, data), 'failed', metadata.at),
    ),
    'webhookDelivery.postponed.v1': changed((delivery, { data }) => became(delivery, 'pending', data.until)),
    'webhookDelivery.revoked.v1': changed((delivery, { data, metadata }) =>
      became({ ...delivery, lastError: data.reason }, 'failed', metadata.at),
    ),
    'webhookDelivery.replayRequested.v1': changed((delivery, { data, metadata }) =>
      became({ ...delivery, replay: data.replay ?? null }, 'pending', metadata.at),
    ),
    // D67: not due before it is retried.
    'setAside.setAside.v1': {
      ...ofItem,
      fold: (delivery) =>
        delivery?.status === 'pending' ? became({ ...delivery, lastError: 'set_aside' }, 'pending', NEVER) : delivery,
    },
    'setAside.retried.v1': {
      ...ofItem,
      fold: (delivery, { metadata }) =>
        delivery?.status === 'pending' ? became({ ...delivery, lastError: null }, 'pending', metadata.at) : delivery,
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

/** Deliveries, for operators to see and for the worker to send. It lags: users load the stream before they act. */
export class DeliveryList {
  constructor(private readonly documents: ReadModel<DeliveryDocument>) {}

  getMany(ids: readonly WebhookDeliveryId[]): Promise<DeliveryDocument[]> {
    return this.documents.getMany(ids);
  }

  /** Those of all ranges, newest first, after a delivery. */
  async newest(ranges: readonly DeliveryRange[], after: DeliveryPlace | undefined, limit: number) {
    const found = await Promise.all(ranges.map((range) => this.newestOf(range, after, limit)));
    return found.flat().toSorted(newestFirst).slice(0, limit);
  }

  async pending(endpointId: WebhookEndpointId, limit: number): Promise<WebhookDeliveryId[]> {
    const found = await this.documents.findEntries({ index: 'lane', equals: [endpointId], gte: 0, limit });
    return found.map(({ id }) => id as WebhookDeliveryId);
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
}
