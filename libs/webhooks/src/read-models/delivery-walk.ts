import { type FeedFilter, type FeedIndex, instantIn } from '#event-feed';
import {
  type Instant,
  nextPart,
  type PublicEventId,
  type Revision,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import { deliveryIdOf } from '../domain/webhook-delivery.js';
import type { DeliveryDocument, DeliveryList } from './delivery-list.js';

/** Where a walk stands, from which a later one continues. */
export interface WalkPoint {
  /** A delivery, or an event whose deliveries are all behind it. */
  readonly id: WebhookDeliveryId | PublicEventId;
  readonly at: Instant;
}

export interface WalkStep extends WalkPoint {
  /** Undefined where an event has no more. */
  readonly delivery: DeliveryDocument | undefined;
  /** How many entries have been looked up for this step. */
  readonly entries: number;
}

/** Where a walk begins: after this delivery, or after all deliveries of the event. */
export interface WalkStart {
  readonly eventId: PublicEventId;
  readonly revision: Revision;
  readonly deliveryId: WebhookDeliveryId | undefined;
}

type Walk = AsyncGenerator<WalkStep>;

const PAGE = 200;
const LOOKUPS = 500;

/** Deliveries along one index, in the order of the feed backwards. */
export async function* walkIndex(
  list: Pick<DeliveryList, 'newest'>,
  of: Parameters<DeliveryList['newest']>[0],
  bounds: { readonly from: Revision; readonly to: Revision },
  start: WalkStart | undefined,
): Walk {
  const { from } = bounds;
  let to = Math.min(bounds.to, start?.revision ?? bounds.to);
  let seen = new Set<string>();
  for (;;) {
    const limit = PAGE + seen.size;
    const page = await list.newest(of, { from, to }, limit);
    for (const delivery of page) {
      if (!seen.has(delivery.id) && isAfter(start, delivery)) yield stepOf(delivery, 1);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    await nextPart();
    // Those of the same event are on the next page again.
    to = last.feedRevision;
    seen = new Set(page.filter(({ feedRevision }) => feedRevision === to).map(({ id }) => id));
  }
}

/** The deliveries of events that the feed's index finds, to these endpoints: their ids follow from both. */
export async function* walkEvents(
  list: Pick<DeliveryList, 'getMany'>,
  feed: Pick<FeedIndex, 'newest'>,
  workspaceId: WorkspaceId,
  filter: FeedFilter,
  endpointIds: readonly WebhookEndpointId[],
  start: WalkStart | undefined,
): Walk {
  if (endpointIds.length === 0) return;
  const limit = Math.max(1, Math.min(PAGE, Math.floor(LOOKUPS / endpointIds.length)));
  let before = start && { id: start.eventId, isIncluded: start.deliveryId !== undefined };
  for (;;) {
    const events = await feed.newest(workspaceId, filter, limit, before);
    const ids = events.flatMap(({ id }) => endpointIds.map((endpointId) => deliveryIdOf(endpointId, id)));
    const found = Map.groupBy(await list.getMany(ids), ({ eventId }) => eventId);
    for (const { id } of events) {
      const deliveries = (found.get(id) ?? []).toSorted(newestFirst);
      for (const delivery of deliveries) if (isAfter(start, delivery)) yield stepOf(delivery, 0);
      yield { id, at: instantIn(id), delivery: undefined, entries: endpointIds.length };
    }
    const last = events.at(-1);
    if (last === undefined || events.length < limit) return;
    await nextPart();
    before = { id: last.id, isIncluded: false };
  }
}

/** Several walks as one. */
export async function* merged(walks: readonly Walk[]): Walk {
  const heads = await Promise.all(walks.map(async (walk) => ({ walk, next: await walk.next() })));
  for (;;) {
    const first = heads
      .filter(({ next }) => next.done !== true)
      .toSorted((one, other) => newestFirst(one.next.value?.delivery, other.next.value?.delivery))
      .at(0);
    if (first === undefined || first.next.done === true) return;
    yield first.next.value;
    first.next = await first.walk.next();
  }
}

const stepOf = (delivery: DeliveryDocument, entries: number): WalkStep => ({
  id: delivery.id as WebhookDeliveryId,
  at: instantIn(delivery.eventId),
  delivery,
  entries,
});

const isAfter = (start: WalkStart | undefined, { feedRevision, id }: DeliveryDocument): boolean =>
  start === undefined ||
  feedRevision < start.revision ||
  (feedRevision === start.revision && start.deliveryId !== undefined && id < start.deliveryId);

type Ordered = Pick<DeliveryDocument, 'feedRevision' | 'id'>;
const newestFirst = (one: Ordered | undefined, other: Ordered | undefined): number =>
  one === undefined || other === undefined ? 0 : other.feedRevision - one.feedRevision || (one.id < other.id ? 1 : -1);
