import type { Readable } from 'node:stream';
import { Controller, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IntersectionType, PickType } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { csvRecord } from '#csv';
import { eventSummary, FindEvents, type FoundEvents, GetEvent, instantIn, type ShownEvent } from '#event-feed';
import { DEFAULT_PAGE_SIZE, idParam, MAX_PAGE_SIZE, OneOf, PageQuery } from '#http';
import { idFilter, type PublicEventId, type WorkspaceId } from '#kernel';
import { SearchDeliveries } from '#webhooks';
import type { EventAnswer, ListedEventAnswer } from '../../answers/events.js';
import type { FoundPageOf } from '../../answers/parts.js';
import { ActorNames, type NamedActor } from '../access/actor-names.js';
import { DashboardReads } from '../access/dashboard-reads.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read } from '../access/rights.js';
import { FoundCreators } from '../creators/found-creators.js';
import { listedDelivery, NO_DELIVERIES, shownBytes } from '../deliveries/deliveries.controller.js';
import { DeliveryFilters, eventFilter } from '../deliveries/delivery-filters.js';
import { DeliveryNames, type NamesOfDeliveries } from '../deliveries/delivery-names.js';
import { unlessUnbound } from '../lists.js';
import { pagesOf, sentCsv, sentFile } from '../sent-file.js';

const FILTERS = ['type', 'creator', 'from', 'to'] as const;

class EventsQuery extends IntersectionType(PickType(DeliveryFilters, FILTERS), PageQuery) {}

class FileQuery extends PickType(DeliveryFilters, FILTERS) {
  @OneOf('csv', 'jsonl')
  format!: 'csv' | 'jsonl';
}

const COLUMNS = ['id', 'type', 'creator_id', 'creator_name', 'summary', 'created_at'] as const;

@Controller('dashboard/api/events')
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly names: DeliveryNames,
    private readonly creators: FoundCreators,
    private readonly actors: ActorNames,
    private readonly reads: DashboardReads,
  ) {}

  @Read()
  async list(
    @CurrentUser() { workspaceId }: DashboardSession,
    @Query() { limit = DEFAULT_PAGE_SIZE, after, ...filters }: EventsQuery,
  ): Promise<FoundPageOf<ListedEventAnswer>> {
    const search = new FindEvents(workspaceId, eventFilter(filters), limit, idFilter('after', 'event', after));
    const { events, next, isCutOff } = await this.queries.execute(search);
    return {
      data: await this.rows(workspaceId, events),
      next_cursor: next,
      searched_until: isCutOff && next !== null ? instantIn(next) : null,
    };
  }

  /** All matching events, as lines of JSON or for a spreadsheet. */
  @Read('file')
  file(
    @CurrentUser() user: DashboardSession,
    @Query() { format, ...filters }: FileQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Readable {
    const filter = eventFilter(filters);
    const read = (after?: PublicEventId) =>
      this.reads.part(user, async () => {
        const search = new FindEvents(user.workspaceId, filter, MAX_PAGE_SIZE, after);
        const { events, next } = await this.queries.execute(search);
        if (format === 'jsonl') return { text: events.map(lineOf).join(''), next };
        const rows = await this.rows(user.workspaceId, events);
        return { text: (after === undefined ? csvRecord(COLUMNS) : '') + rows.map(recordOf).join(''), next };
      });
    if (format === 'csv') return sentCsv(reply, 'events.csv', pagesOf(read));
    return sentFile(reply, 'application/jsonl', 'events.jsonl', pagesOf(read));
  }

  private async rows(workspaceId: WorkspaceId, events: FoundEvents['events']): Promise<ListedEventAnswer[]> {
    const names = await this.creators.names(
      workspaceId,
      events.map(({ creatorId }) => creatorId),
    );
    return events.map(({ id, ...event }) => listedEvent({ eventId: id, ...event }, names));
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

const recordOf = (row: ListedEventAnswer): string =>
  csvRecord(COLUMNS.map((column) => (column === 'created_at' ? new Date(row[column]).toISOString() : row[column])));

/** D71: a file without an unreadable event would be incomplete. */
const lineOf = ({ visibility }: Pick<ShownEvent, 'visibility'>): string => {
  if (visibility.kind === 'unreadable') throw visibility.error;
  return visibility.kind === 'visible' ? `${visibility.bytes}\n` : '';
};

const shownCause = (
  { id, type, stream, metadata }: NonNullable<ShownEvent['cause']>,
  named: (actor: string) => NamedActor,
) => ({ event_id: id, type, stream, at: metadata.at, ...named(metadata.actor), request_id: metadata.correlationId });
