import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Binding, GetBinding } from '#agencies';
import { FeedIndex, feedIndexProjection, idsBetween, instantIn } from '#event-feed';
import {
  type AgencyId,
  type Instant,
  invalidRequest,
  type PublicEventId,
  parseId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { boundedSearch, DeadLetterList, requireComplete } from '#projections';
import {
  DELIVERY_STATUSES,
  type DeliveryFilter,
  type DeliveryStatus,
  deliveryIdOf,
  WEBHOOK_SCHEDULING,
} from '../domain/webhook-delivery.js';
import type { MatchCount, RequestedReplay } from '../domain/webhook-replay.js';
import {
  type DeliveryDocument,
  DeliveryList,
  type DeliveryPlace,
  deliveryListProjection,
  newestFirst,
} from './delivery-list.js';
import { EndpointList } from './endpoint-list.js';

export interface DeliverySearch extends DeliveryFilter {
  readonly endpointId?: WebhookEndpointId | undefined;
  /** Only those that the endpoint's replay of that number was the last to make pending. */
  readonly replay?: Pick<RequestedReplay, 'endpointId' | 'number'> | undefined;
}

export interface FoundDeliveries {
  readonly deliveries: readonly DeliveryDocument[];
  /** The delivery, or the event with all its deliveries, after which a search goes on; null at the end. */
  readonly next: { readonly id: WebhookDeliveryId | PublicEventId; readonly at: Instant } | null;
  /** The search ended at `next`, although there may be more matches: it has read as much as it may. */
  readonly isCutOff: boolean;
}

/** Whether a search with this filter reads the index of the feed, a read model of the dashboard. */
export const readsFeedIndex = ({ eventType, creatorId, eventId }: DeliverySearch): boolean =>
  eventId === undefined && (eventType ?? creatorId) !== undefined;

const MAX_ENTRIES = 2_000;
/** Deliveries of events are looked up together, as many as their endpoints allow. */
const LOOKUPS = 500;

/** Deliveries of a bound agency, newest first by the order of their events in the feed. */
export class SearchDeliveries extends Query<FoundDeliveries> {
  constructor(
    readonly agencyId: AgencyId,
    readonly filter: DeliverySearch,
    readonly limit: number,
    /** The id at which an earlier search stopped. */
    readonly after: string | undefined,
    readonly maxEntries: number = MAX_ENTRIES,
  ) {
    super();
  }
}

const MAX_COUNTED = 10_000;

/** How many deliveries match, up to 10,000, and how many of them have been delivered. */
export const countDeliveries = async (
  queries: QueryBus,
  agencyId: AgencyId,
  filter: DeliverySearch,
): Promise<MatchCount & { readonly delivered: number }> => {
  const search = new SearchDeliveries(agencyId, filter, MAX_COUNTED, undefined, MAX_COUNTED);
  const { deliveries, next } = await queries.execute(search);
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length;
  return { count: deliveries.length, delivered, isMore: next !== null };
};

@QueryHandler(SearchDeliveries)
export class SearchDeliveriesHandler implements IQueryHandler<SearchDeliveries> {
  constructor(
    private readonly deliveries: DeliveryList,
    private readonly endpoints: EndpointList,
    private readonly feed: FeedIndex,
    private readonly queries: QueryBus,
    private readonly deadLetters: DeadLetterList,
  ) {}

  async execute({ agencyId, filter, limit, after, maxEntries }: SearchDeliveries): Promise<FoundDeliveries> {
    const binding = await this.queries.execute(new GetBinding(agencyId));
    const start = after === undefined ? undefined : await this.placeOf(agencyId, after);
    const active = filter.undelivered === true ? await this.activeEndpoints(binding, agencyId) : undefined;
    const isWanted = (delivery: DeliveryDocument) =>
      delivery.agencyId === agencyId && matches(delivery, filter) && (active?.has(delivery.endpointId) ?? true);
    const search = { filter, start, isWanted, limit, maxEntries };
    const isOfFeed = readsFeedIndex(filter);
    const found = await (isOfFeed ? this.alongFeed(binding, search) : alongIndex(this.deliveries, agencyId, search));
    const ofFeed = isOfFeed ? [feedIndexProjection.name] : [];
    const read = [deliveryListProjection.name, WEBHOOK_SCHEDULING, ...ofFeed];
    await requireComplete(this.deadLetters, binding.workspaceId, read);
    return { deliveries: found.matches, next: found.last && pointAt(found.last), isCutOff: found.isCutOff };
  }

  /** The ids of deliveries follow from endpoint and event, so that they need no index by type and creator. */
  private async alongFeed({ agencyId, workspaceId }: Binding, { filter, start, isWanted, ...bounds }: Search) {
    const { endpointId } = filter;
    const ids = endpointId === undefined ? (await this.endpoints.ofAgency(agencyId)).map(({ id }) => id) : [endpointId];
    const perEvent = Math.max(1, ids.length);
    return boundedSearch({
      read: async (last: { readonly id: PublicEventId } | undefined, most) => {
        // Some deliveries of the start's event may come after it.
        const first = last === undefined && start !== undefined && start.id !== '' ? [{ id: start.eventId }] : [];
        const before = last?.id ?? start?.eventId;
        return [...first, ...(await this.feed.newest(workspaceId, filter, most - first.length, before))];
      },
      matchesIn: async (events) => {
        const possible = events.flatMap(({ id }) => ids.map((endpoint) => deliveryIdOf(endpoint, id)));
        const found = (await this.deliveries.getMany(possible)).toSorted(newestFirst);
        return found.filter((one) => (start === undefined || newestFirst(start, one) < 0) && isWanted(one));
      },
      ...bounds,
      maxEntries: Math.ceil(bounds.maxEntries / perEvent),
      pageSize: Math.ceil(LOOKUPS / perEvent),
    });
  }

  /** An event is the place after all its deliveries. */
  private async placeOf(agencyId: AgencyId, after: string): Promise<DeliveryPlace> {
    const eventId = parseId('event', after);
    if (eventId !== undefined) return { eventId, id: '' };
    const deliveryId = parseId('webhookDelivery', after);
    const [delivery] = deliveryId === undefined ? [] : await this.deliveries.getMany([deliveryId]);
    if (delivery?.agencyId === agencyId) return delivery;
    throw invalidRequest({ field: 'after', message: 'must be the cursor of an earlier answer' });
  }

  private async activeEndpoints({ epoch }: Binding, agencyId: AgencyId): Promise<ReadonlySet<string>> {
    const endpoints = await this.endpoints.ofAgency(agencyId);
    return new Set(endpoints.filter((one) => one.status === 'active' && one.epoch === epoch).map(({ id }) => id));
  }
}

interface Search {
  readonly filter: DeliverySearch;
  readonly start: DeliveryPlace | undefined;
  readonly isWanted: (delivery: DeliveryDocument) => boolean;
  readonly limit: number;
  readonly maxEntries: number;
}

/** Along an endpoint, or each of the statuses that can match. */
const alongIndex = (list: DeliveryList, agencyId: AgencyId, { filter, start, isWanted, ...bounds }: Search) => {
  const { endpointId, eventId, from, to } = filter;
  const at = eventId && instantIn(eventId);
  const ids = idsBetween(at ?? from, at ?? to);
  const ranges =
    endpointId === undefined
      ? statusesOf(filter).map((status) => ({ index: 'agency', equals: [agencyId, status], ...ids }))
      : [{ index: 'endpoint', equals: [endpointId], ...ids }];
  return boundedSearch({
    // D9: an endpoint of another agency has none; otherwise its deliveries would become the place to go on from.
    read: async (last: DeliveryDocument | undefined, most) =>
      (await list.newest(ranges, last ?? start, most)).filter((one) => one.agencyId === agencyId),
    matchesIn: (page) => page.filter(isWanted),
    ...bounds,
  });
};

const pointAt = (last: DeliveryDocument | { readonly id: PublicEventId }): FoundDeliveries['next'] =>
  'eventId' in last
    ? { id: last.id as WebhookDeliveryId, at: instantIn(last.eventId) }
    : { id: last.id, at: instantIn(last.id) };

/** The answer to the last attempt, or why no more attempts were made; null before the first attempt. */
const answerOf = ({ lastStatus, lastError }: DeliveryDocument): string | null =>
  lastError === null || lastError === 'refused' ? (lastStatus?.toString() ?? null) : lastError;

/** `wanted` is an answer, or a class of statuses such as `5xx`. */
const isAnswer = (answer: string | null, wanted: string): boolean =>
  answer === wanted || (/^\dxx$/.test(wanted) && answer !== null && /^\d\d\d$/.test(answer) && answer[0] === wanted[0]);

/** Which can match at all: no answer but 2xx delivers. */
const statusesOf = ({ status, answer, undelivered, failedSince }: DeliverySearch): readonly DeliveryStatus[] =>
  DELIVERY_STATUSES.filter(
    (one) =>
      (status === undefined || one === status) &&
      (failedSince === undefined || one === 'failed') &&
      (undelivered !== true || one !== 'delivered') &&
      (answer === undefined || one !== 'delivered' || /^2(\d\d|xx)$/.test(answer)),
  );

const matches = (delivery: DeliveryDocument, filter: DeliverySearch): boolean => {
  const { endpointId, eventType, answer, creatorId, eventId, from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
  const { failedSince = 0, replay } = filter;
  const at = instantIn(delivery.eventId);
  return (
    (endpointId === undefined || delivery.endpointId === endpointId) &&
    (replay === undefined || (delivery.endpointId === replay.endpointId && delivery.replay === replay.number)) &&
    (eventType === undefined || delivery.eventType === eventType) &&
    statusesOf(filter).includes(delivery.status) &&
    failedSince <= delivery.at &&
    (answer === undefined || isAnswer(answerOf(delivery), answer)) &&
    (creatorId === undefined || delivery.creatorId === creatorId) &&
    (eventId === undefined || delivery.eventId === eventId) &&
    from <= at &&
    at <= to
  );
};
