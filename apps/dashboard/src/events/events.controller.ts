import { Controller, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IntersectionType, PickType } from '@nestjs/swagger';
import { FindEvents, GetEvent, instantIn, type ShownEvent } from '#event-feed';
import { DEFAULT_PAGE_SIZE, idParam, MAX_PAGE_SIZE, PageQuery } from '#http';
import { idFilter } from '#kernel';
import { type FoundDeliveries, SearchDeliveries } from '#webhooks';
import { Read, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { DeliveryFilters } from '../deliveries/delivery-filter.js';
import { listedDelivery, shownBytes } from '../deliveries/shown-delivery.js';
import { unlessUnbound } from '../found-or.js';
import { timeFilter } from '../time.rule.js';
import type { EventAnswer, EventsAnswer } from './answers.js';

const NO_DELIVERIES: FoundDeliveries = { deliveries: [], next: null, isCutOff: false };

const FILTERS = ['type', 'creator', 'from', 'to'] as const;

class EventsQuery extends IntersectionType(PickType(DeliveryFilters, FILTERS), PageQuery) {}

@Controller('dashboard/api/events')
export class EventsController {
  constructor(private readonly queries: QueryBus) {}

  @Read()
  async list(@Visitor() { workspaceId }: Visit, @Query() query: EventsQuery): Promise<EventsAnswer> {
    const { type, creator, from, to, limit = DEFAULT_PAGE_SIZE, after } = query;
    const filter = {
      eventType: type,
      creatorId: idFilter('creator', 'creator', creator),
      from: timeFilter(from),
      to: timeFilter(to),
    };
    const search = new FindEvents(workspaceId, filter, limit, idFilter('after', 'event', after));
    const { events, next, isCutOff } = await this.queries.execute(search);
    return {
      data: events.map(({ id, ...event }) => listedEvent({ eventId: id, ...event })),
      next_cursor: next,
      searched_until: isCutOff && next !== null ? instantIn(next) : null,
    };
  }

  @Read(':id')
  async show(@Visitor() { agencyId, workspaceId }: Visit, @Param('id') id: string): Promise<EventAnswer> {
    const eventId = idParam('event', id);
    const event = await this.queries.execute(new GetEvent(workspaceId, eventId));
    const deliveries = new SearchDeliveries(agencyId, { eventId }, MAX_PAGE_SIZE, undefined);
    return shownEvent(event, await unlessUnbound(this.queries.execute(deliveries), NO_DELIVERIES));
  }
}

type Identified = Pick<ShownEvent, 'eventId' | 'eventType' | 'creatorId'>;

export const listedEvent = ({ eventId, eventType, creatorId }: Identified) => ({
  id: eventId,
  type: eventType,
  creator_id: creatorId,
  created_at: instantIn(eventId),
});

export const shownEvent = (event: ShownEvent, { deliveries }: FoundDeliveries): EventAnswer => {
  const { visibility, cause } = event;
  return {
    ...listedEvent(event),
    published_at: event.publishedAt,
    ...shownBytes(visibility),
    cause: cause === undefined ? null : causeShown(cause),
    deliveries: deliveries.map(listedDelivery),
  };
};

const causeShown = ({ id, type, stream, metadata }: NonNullable<ShownEvent['cause']>) => ({
  event_id: id,
  type,
  stream,
  at: metadata.at,
  actor: metadata.actor,
  request_id: metadata.correlationId,
});
