import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PublicEventType } from '#event-feed';
import type { SetAsideEvent } from '#jobs';
import {
  type AgencyId,
  type CreatorId,
  type Document,
  type Instant,
  NEVER,
  type PublicEventId,
  projection,
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
}

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
  version: 6,
  indexes: [
    { name: 'agency', fields: ['agencyId', 'status', 'feedRevision'] },
    { name: 'endpoint', fields: ['status', 'endpointId', 'at', 'feedRevision', 'replay'] },
    { name: 'feed', fields: ['endpointId', 'feedRevision'] },
  ],
  on: {
    'webhookDelivery.scheduled.v1': {
      ...ofStream,
      fold: (_, { data, metadata }) => {
        const { deliveryId: id, agencyId, endpointId, creatorId, eventId, eventType, feedRevision } = data;
        const order = { agencyId, endpointId, creatorId, eventId, eventType, feedRevision };
        const untried = { attempts: 0, lastStatus: null, lastError: null, replay: null };
        return { id, ...order, status: 'pending', at: metadata.at, ...untried };
      },
    },
    'webhookDelivery.attemptFailed.v1': {
      ...ofStream,
      fold: (delivery, { data }) => delivery && { ...tried(delivery, data), at: data.nextAttemptAt },
    },
    'webhookDelivery.delivered.v1': {
      ...ofStream,
      fold: (delivery, { data, metadata }) =>
        delivery && { ...tried(delivery, data), status: 'delivered', at: metadata.at },
    },
    'webhookDelivery.exhausted.v1': {
      ...ofStream,
      fold: (delivery, { data, metadata }) =>
        delivery && { ...tried(delivery, data), status: 'failed', at: metadata.at },
    },
    'webhookDelivery.postponed.v1': {
      ...ofStream,
      fold: (delivery, { data }) => delivery && { ...delivery, at: data.until },
    },
    'webhookDelivery.revoked.v1': {
      ...ofStream,
      fold: (delivery, { data, metadata }) =>
        delivery && { ...delivery, status: 'failed', at: metadata.at, lastError: data.reason },
    },
    'webhookDelivery.replayRequested.v1': {
      ...ofStream,
      fold: (delivery, { data, metadata }) =>
        delivery && { ...delivery, status: 'pending', at: metadata.at, replay: data.replay ?? null },
    },
    // D67: not due before it is retried.
    'setAside.setAside.v1': {
      ...ofItem,
      fold: (delivery) =>
        delivery?.status === 'pending' ? { ...delivery, at: NEVER, lastError: 'set_aside' } : delivery,
    },
    'setAside.retried.v1': {
      ...ofItem,
      fold: (delivery, { metadata }) =>
        delivery?.status === 'pending' ? { ...delivery, at: metadata.at, lastError: null } : delivery,
    },
  },
});

const DELIVERIES_PER_PAGE = 200;

export interface DueDelivery {
  readonly deliveryId: WebhookDeliveryId;
  readonly dueAt: Instant;
}

export interface WaitingEndpoint {
  readonly endpointId: WebhookEndpointId;
  readonly dueAt: Instant;
}

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

  /** Deliveries to the endpoint that have failed for good at that time or later, in pages, oldest failure first. */
  async *failedSince(endpointId: WebhookEndpointId, since: Instant): AsyncGenerator<WebhookDeliveryId[]> {
    const seen = new Set<string>();
    for (let from = since; ; ) {
      const query = {
        index: 'endpoint',
        equals: ['failed', endpointId],
        gte: from,
        limit: DELIVERIES_PER_PAGE + seen.size,
      };
      const page = await this.documents.find(query);
      const fresh = page.filter(({ id }) => !seen.has(id));
      if (fresh.length === 0) return;
      yield fresh.map(({ id }) => id as WebhookDeliveryId);
      from = page.at(-1)?.at ?? from;
      // Those of the same moment are on the next page again.
      seen.clear();
      for (const { id, at } of page) if (at === from) seen.add(id);
    }
  }

  /** Every endpoint with pending deliveries, and when the first of them is due. */
  async waiting(): Promise<WaitingEndpoint[]> {
    const waiting: WaitingEndpoint[] = [];
    for (let after = ''; ; ) {
      const query = { index: 'endpoint', equals: ['pending'], gt: after, limit: 1 };
      const [first] = await this.documents.findEntries<'endpointId' | 'at'>(query);
      if (first === undefined) return waiting;
      waiting.push({ endpointId: first.endpointId, dueAt: first.at });
      after = first.endpointId;
    }
  }

  /** Deliveries to the endpoint that are due, the longest due first, and at the same moment in the order of the feed. */
  async due(endpointId: WebhookEndpointId, now: Instant, limit: number): Promise<DueDelivery[]> {
    const query = { index: 'endpoint', equals: ['pending', endpointId], gte: 0, lte: now, limit };
    const found = await this.documents.findEntries<'at'>(query);
    return found.map(({ id, at }) => ({ deliveryId: id as WebhookDeliveryId, dueAt: at }));
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
    const query = { index: 'endpoint', equals: ['pending', endpointId], limit };
    const found = await this.documents.findEntries<'at'>(query);
    return found.map(({ id }) => id as WebhookDeliveryId);
  }

  /** In pages. No two deliveries to an endpoint have the same revision, so those of one moment are continued after it. */
  private async *pendingEntries(endpointId: WebhookEndpointId) {
    const find = (at: readonly Instant[], gt: number) => {
      const query = { index: 'endpoint', equals: ['pending', endpointId, ...at], gt, limit: DELIVERIES_PER_PAGE };
      return this.documents.findEntries<'at' | 'feedRevision' | 'replay'>(query);
    };
    let page = await find([], -1);
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield page;
      const ofSameMoment = await find([last.at], last.feedRevision);
      page = ofSameMoment.length > 0 ? ofSameMoment : await find([], last.at);
      // A store in this process answers without a break.
      await nextTurn();
    }
  }
}
