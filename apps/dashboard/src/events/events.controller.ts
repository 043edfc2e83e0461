import { Controller, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IntersectionType, PickType } from '@nestjs/swagger';
import { FindEvents, GetEvent, instantIn, type ShownEvent } from '#event-feed';
import { DEFAULT_PAGE_SIZE, idParam, MAX_PAGE_SIZE, PageQuery } from '#http';
import { idFilter } from '#kernel';
import { SearchDeliveries } from '#webhooks';
import type { EventAnswer, ListedEventAnswer } from '../../answers/events.js';
import type { FoundPageOf } from '../../answers/parts.js';
import { ActorNames, type NamedActor } from '../access/actor-names.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read } from '../access/rights.js';
import { FoundCreators } from '../creators/found-creators.js';
import { listedDelivery, NO_DELIVERIES, shownBytes } from '../deliveries/deliveries.controller.js';
import { DeliveryFilters, eventFilter } from '../deliveries/delivery-filters.js';
import { DeliveryNames, type NamesOfDeliveries } from '../deliveries/delivery-names.js';
import { unlessUnbound } from '../lists.js';
import { eventSummary } from './event-summary.js';

const FILTERS = ['type', 'creator', 'from', 'to'] as const;

class EventsQuery extends IntersectionType(PickType(DeliveryFilters, FILTERS), PageQuery) {}

@Controller('dashboard/api/events')
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly names: DeliveryNames,
    private readonly creators: FoundCreators,
    private readonly actors: ActorNames,
  ) {}

  @Read()
  async list(
    @CurrentUser() { workspaceId }: DashboardSession,
    @Query() { limit = DEFAULT_PAGE_SIZE, after, ...filters }: EventsQuery,
  ): Promise<FoundPageOf<ListedEventAnswer>> {
    const search = new FindEvents(workspaceId, eventFilter(filters), limit, idFilter('after', 'event', after));
    const { events, next, isCutOff } = await this.queries.execute(search);
    const names = await this.creators.names(
      workspaceId,
      events.map(({ creatorId }) => creatorId),
    );
    return {
      data: events.map(({ id, ...event }) => listedEvent({ eventId: id, ...event }, names)),
      next_cursor: next,
      searched_until: isCutOff && next !== null ? instantIn(next) : null,
    };
  }

  @Read(':id')
  async show(
    @CurrentUser() { agencyId, workspaceId }: DashboardSession,
    @Param('id') id: string,
  ): Promise<EventAnswer> {
    const eventId = idParam('event', id);
    const event = await this.queries.execute(new GetEvent(workspaceId, eventId));
    const search = new SearchDeliveries(agencyId, { eventId }, MAX_PAGE_SIZE, undefined);
    const { deliveries } = await unlessUnbound(this.queries.execute(search), NO_DELIVERIES);
    const names = await this.names.of({ agencyId, workspaceId }, [event, ...deliveries]);
    return {
      ...listedEvent(event, names.creators),
      published_at: event.publishedAt,
      ...shownBytes(event.visibility),
      cause:
        event.cause === undefined
          ? null
          : shownCause(event.cause, await this.actors.of({ agencyId }, [event.cause.metadata.actor])),
      deliveries: deliveries.map((delivery) => listedDelivery(delivery, names)),
    };
  }
}

const listedEvent = (
  { eventId, eventType, creatorId, visibility }: Omit<ShownEvent, 'publishedAt' | 'cause'>,
  names: NamesOfDeliveries['creators'],
): ListedEventAnswer => ({
  id: eventId,
  type: eventType,
  creator_id: creatorId,
  creator_name: names.get(creatorId) ?? null,
  summary: visibility.kind === 'visible' ? eventSummary(eventType, visibility.bytes) : null,
  created_at: instantIn(eventId),
});

const shownCause = (
  { id, type, stream, metadata }: NonNullable<ShownEvent['cause']>,
  named: (actor: string) => NamedActor,
) => ({ event_id: id, type, stream, at: metadata.at, ...named(metadata.actor), request_id: metadata.correlationId });
