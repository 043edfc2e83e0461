import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PublicEventType } from '#event-feed';
import { type SetAsideEvent, TASK_FIELDS } from '#jobs';
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
import type { ReadModel } from '#projections';
import type { DeliveryStatus } from '../domain/delivery-filter.js';
import type { AttemptResult, WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';

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

/** A pending delivery, as the queue of tasks finds it. */
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
  documents: ({ data: { item } }: { data: SetAsideEvent['data'] }) => (item.kind === 'delivery' ? item.deliveryId : []),
};

export const deliveryListProjection = projection<DeliveryDocument, WebhookDeliveryEvent | SetAsideEvent>({
  name: 'webhook_deliveries',
  version: 7,
  indexes: [
    { name: 'agency', fields: ['agencyId', 'status', 'feedRevision'] },
    { name: 'feed', fields: ['endpointId', 'feedRevision'] },
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

const DELIVERIES_PER_PAGE = 200;

/** Deliveries for operators to see, and for the worker to do. It lags, so its users load the stream before they act. */
export class DeliveryList {
  constructor(private readonly documents: ReadModel<DeliveryDocument>) {}

  /** That of the earliest event in the feed. */
  async first(agencyId: AgencyId, status: DeliveryStatus): Promise<DeliveryDocument | undefined> {
    const [first] = await this.documents.find({ index: 'agency', equals: [agencyId, status], limit: 1 });
    return first;
  }

  /** In any order; unknown ids are left out. */
  getMany(ids: readonly WebhookDeliveryId[]): Promise<DeliveryDocument[]> {
    return this.documents.getMany(ids);
  }

  /** Those of a status or to an endpoint, newest first, within revisions of the feed, both included. */
  newest(
    of: { readonly agencyId: AgencyId; readonly status: DeliveryStatus } | { readonly endpointId: WebhookEndpointId },
    { from, to }: { readonly from: Revision; readonly to: Revision },
    limit: number,
  ): Promise<DeliveryDocument[]> {
    const along =
      'endpointId' in of
        ? { index: 'feed', equals: [of.endpointId] }
        : { index: 'agency', equals: [of.agencyId, of.status] };
    return this.documents.find({ ...along, gte: from, lte: to, order: 'descending', limit });
  }

  /** How many deliveries to the endpoint are pending, due or not, because of its replay of that number; up to a limit. */
  async replaying(endpointId: WebhookEndpointId, replay: number, limit: number): Promise<number> {
    let count = 0;
    for await (const page of this.pendingEntries(endpointId)) {
      count += page.filter((entry) => entry.replay === replay).length;
      if (count >= limit) return limit;
    }
    return count;
  }

  /** Deliveries to the endpoint that are pending, due or not. */
  async pending(endpointId: WebhookEndpointId, limit: number): Promise<WebhookDeliveryId[]> {
    const query = { index: 'lane', equals: [endpointId], gte: 0, limit };
    const found = await this.documents.findEntries<'readyAt'>(query);
    return found.map(({ id }) => id as WebhookDeliveryId);
  }

  /** In pages. No two deliveries to an endpoint have the same revision, so those of one moment are continued after it. */
  private async *pendingEntries(endpointId: WebhookEndpointId) {
    const find = (along: Pick<RangeQuery, 'equals' | 'gt' | 'gte'>) =>
      this.documents.findEntries<'readyAt' | 'feedRevision' | 'replay'>({
        index: 'lane',
        ...along,
        limit: DELIVERIES_PER_PAGE,
      });
    let page = await find({ equals: [endpointId], gte: 0 });
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield page;
      const { readyAt, feedRevision } = last;
      const ofSameMoment = await find({ equals: [endpointId, readyAt], gt: feedRevision });
      page = ofSameMoment.length > 0 ? ofSameMoment : await find({ equals: [endpointId], gt: readyAt ?? NEVER });
      // A store in this process answers without a break.
      await nextTurn();
    }
  }
}
