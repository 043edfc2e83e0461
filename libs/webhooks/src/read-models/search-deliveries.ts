import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Binding, GetBinding } from '#agencies';
import { FeedIndex, feedIndexProjection, instantIn } from '#event-feed';
import { type AgencyId, invalidRequest, parseId, type WebhookDeliveryId, type WebhookEndpointId } from '#kernel';
import { requireComplete, SetAsideList } from '#projections';
import { DELIVERY_STATUSES, type DeliveryFilter, type DeliveryStatus } from '../domain/delivery-filter.js';
import { WEBHOOK_SCHEDULING } from '../domain/webhook-delivery.js';
import type { MatchCount } from '../domain/webhook-replay.events.js';
import { type DeliveryDocument, DeliveryList, deliveryListProjection } from './delivery-list.js';
import { merged, type WalkPoint, type WalkStart, type WalkStep, walkEvents, walkIndex } from './delivery-walk.js';
import { EndpointList } from './endpoint-list.js';

export interface DeliverySearch extends DeliveryFilter {
  readonly endpointId?: WebhookEndpointId | undefined;
}

export interface FoundDeliveries {
  readonly deliveries: readonly DeliveryDocument[];
  /** From where a search goes on; null at the end. */
  readonly next: WalkPoint | null;
  /** The search has ended at `next`, although there may be more matches: it has read as much as it may. */
  readonly isCutOff: boolean;
}

/** Whether a search with this filter reads the index of the feed, a read model of the dashboard. */
export const readsFeedIndex = ({ eventType, creatorId, eventId, from, to }: DeliverySearch): boolean =>
  [eventType, creatorId, eventId, from, to].some((value) => value !== undefined);

/** A search reads so many entries, so that none takes long. */
const MAX_ENTRIES = 2_000;

/** Deliveries of a bound agency, newest first by the order of their events in the feed. */
export class SearchDeliveries extends Query<FoundDeliveries> {
  constructor(
    readonly agencyId: AgencyId,
    readonly filter: DeliverySearch,
    readonly limit: number,
    /** The id at which an earlier search has stopped. */
    readonly after: string | undefined,
    readonly maxEntries: number = MAX_ENTRIES,
  ) {
    super();
  }
}

/** Counts stop here. */
const MAX_COUNTED = 10_000;

/** How many deliveries match, up to 10,000. */
export const countDeliveries = async (
  queries: QueryBus,
  agencyId: AgencyId,
  filter: DeliverySearch,
): Promise<MatchCount> => {
  const search = new SearchDeliveries(agencyId, filter, MAX_COUNTED, undefined, MAX_COUNTED);
  const { deliveries, next } = await queries.execute(search);
  return { count: deliveries.length, isMore: next !== null };
};

@QueryHandler(SearchDeliveries)
export class SearchDeliveriesHandler implements IQueryHandler<SearchDeliveries> {
  constructor(
    private readonly deliveries: DeliveryList,
    private readonly endpoints: EndpointList,
    private readonly feed: FeedIndex,
    private readonly queries: QueryBus,
    private readonly setAsides: SetAsideList,
  ) {}

  async execute({ agencyId, filter, limit, after, maxEntries }: SearchDeliveries): Promise<FoundDeliveries> {
    const binding = await this.queries.execute(new GetBinding(agencyId));
    const start = after === undefined ? undefined : await this.startAt(binding, agencyId, after);
    const active = filter.undelivered === true ? await this.activeEndpoints(binding, agencyId) : undefined;
    const isWanted = (delivery: DeliveryDocument) =>
      delivery.agencyId === agencyId && matches(delivery, filter) && (active?.has(delivery.endpointId) ?? true);
    const found = await searched(await this.walk(binding, agencyId, filter, start), isWanted, limit, maxEntries);
    const ofFeed = readsFeedIndex(filter) ? [feedIndexProjection.name] : [];
    await requireComplete(this.setAsides, binding.workspaceId, [
      deliveryListProjection.name,
      WEBHOOK_SCHEDULING,
      ...ofFeed,
    ]);
    return found;
  }

  /** Along the index that has the fewest candidates. */
  private async walk(
    { workspaceId }: Binding,
    agencyId: AgencyId,
    filter: DeliverySearch,
    start: WalkStart | undefined,
  ): Promise<AsyncGenerator<WalkStep>> {
    const { endpointId, eventType, creatorId, eventId, from, to } = filter;
    if (eventType !== undefined || creatorId !== undefined || eventId !== undefined) {
      const ofEvent = eventId === undefined ? { from, to } : { from: instantIn(eventId), to: instantIn(eventId) };
      const ids =
        endpointId === undefined ? (await this.endpoints.ofAgency(agencyId)).map(({ id }) => id) : [endpointId];
      return walkEvents(this.deliveries, this.feed, workspaceId, { eventType, creatorId, ...ofEvent }, ids, start);
    }
    const bounds = {
      from: from === undefined ? 0 : await this.feed.revisionAt(workspaceId, from),
      to: to === undefined ? Number.MAX_SAFE_INTEGER : (await this.feed.revisionAt(workspaceId, to + 1)) - 1,
    };
    if (endpointId !== undefined) return walkIndex(this.deliveries, { endpointId }, bounds, start);
    return merged(statusesOf(filter).map((status) => walkIndex(this.deliveries, { agencyId, status }, bounds, start)));
  }

  private async startAt({ workspaceId }: Binding, agencyId: AgencyId, after: string): Promise<WalkStart> {
    const deliveryId = parseId('webhookDelivery', after);
    if (deliveryId !== undefined) {
      const [delivery] = await this.deliveries.getMany([deliveryId]);
      if (delivery?.agencyId === agencyId) {
        return { eventId: delivery.eventId, revision: delivery.feedRevision, deliveryId };
      }
    }
    const eventId = parseId('event', after);
    const event = eventId && (await this.feed.get(workspaceId, eventId));
    if (event !== undefined) return { eventId: event.id, revision: event.revision, deliveryId: undefined };
    throw invalidRequest({ field: 'after', message: 'must be the cursor of an earlier answer' });
  }

  private async activeEndpoints({ epoch }: Binding, agencyId: AgencyId): Promise<ReadonlySet<string>> {
    const endpoints = await this.endpoints.ofAgency(agencyId);
    return new Set(endpoints.filter((one) => one.status === 'active' && one.epoch === epoch).map(({ id }) => id));
  }
}

/** Steps until the page is full, the walk ends, or it has read as many entries as it may. */
const searched = async (
  walk: AsyncGenerator<WalkStep>,
  isWanted: (delivery: DeliveryDocument) => boolean,
  limit: number,
  maxEntries: number,
): Promise<FoundDeliveries> => {
  const deliveries: DeliveryDocument[] = [];
  let last: WalkPoint | null = null;
  let entries = 0;
  for await (const { delivery, id, at, entries: more } of walk) {
    if (delivery !== undefined && isWanted(delivery)) {
      // One more match shows that the page is not the last.
      if (deliveries.length === limit) return { deliveries, next: pointOf(deliveries), isCutOff: false };
      deliveries.push(delivery);
    }
    last = { id, at };
    entries += more;
    if (entries >= maxEntries) return { deliveries, next: last, isCutOff: true };
  }
  return { deliveries, next: null, isCutOff: false };
};

const pointOf = (deliveries: readonly DeliveryDocument[]): WalkPoint | null => {
  const last = deliveries.at(-1);
  return last === undefined ? null : { id: last.id as WebhookDeliveryId, at: instantIn(last.eventId) };
};

/** What the last attempt was answered, or why the delivery was not attempted any more; null before the first attempt. */
const answerOf = ({ lastStatus, lastError }: DeliveryDocument): string | null =>
  lastError === null || lastError === 'refused' ? (lastStatus?.toString() ?? null) : lastError;

/** Which can match at all: no answer but 2xx delivers. */
const statusesOf = ({ status, answer, undelivered, failedSince }: DeliverySearch): readonly DeliveryStatus[] =>
  DELIVERY_STATUSES.filter(
    (one) =>
      (status === undefined || one === status) &&
      (failedSince === undefined || one === 'failed') &&
      (undelivered !== true || one !== 'delivered') &&
      (answer === undefined || one !== 'delivered' || /^2\d\d$/.test(answer)),
  );

const matches = (delivery: DeliveryDocument, filter: DeliverySearch): boolean => {
  const { endpointId, eventType, answer, creatorId, eventId, from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
  const { failedSince = 0 } = filter;
  const at = instantIn(delivery.eventId);
  return (
    (endpointId === undefined || delivery.endpointId === endpointId) &&
    (eventType === undefined || delivery.eventType === eventType) &&
    statusesOf(filter).includes(delivery.status) &&
    failedSince <= delivery.at &&
    (answer === undefined || answerOf(delivery) === answer) &&
    (creatorId === undefined || delivery.creatorId === creatorId) &&
    (eventId === undefined || delivery.eventId === eventId) &&
    from <= at &&
    at <= to
  );
};
