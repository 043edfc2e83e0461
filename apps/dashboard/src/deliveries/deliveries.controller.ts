import { Body, Controller, HttpCode, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IntersectionType, OmitType } from '@nestjs/swagger';
import { instantIn } from '#event-feed';
import { DEFAULT_PAGE_SIZE, idParam, PageQuery, Text } from '#http';
import {
  countDeliveries,
  EndReplay,
  type FoundDeliveries,
  GetDelivery,
  GetEndpoint,
  GetReplay,
  ListDisabledSpans,
  ListReplays,
  publicAttempt,
  publicDelivery,
  publicDisabledSpan,
  publicReplay,
  ReplayDelivery,
  type RequestedReplay,
  RequestReplay,
  SearchDeliveries,
  type ShownDelivery,
} from '#webhooks';
import type { DeliveriesAnswer, DeliveryAnswer, DeliveryCountAnswer, ReplayAnswer } from '../../answers/deliveries.js';
import type { ListOf } from '../../answers/parts.js';
import { ReadInTurn } from '../access/dashboard-reads.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read, Rights } from '../access/rights.js';
import { unlessUnbound } from '../lists.js';
import { DeliveryTabFilters, deliveryFilter, MAX_ID_LENGTH } from './delivery-filters.js';
import { DeliveryNames, type NamesOfDeliveries, namesOf } from './delivery-names.js';
import { deliveryRemedy } from './remedies.js';

export const NO_DELIVERIES: FoundDeliveries = { deliveries: [], next: null, isCutOff: false };

class DeliveriesQuery extends IntersectionType(DeliveryTabFilters, PageQuery) {}

@Controller('dashboard/api/deliveries')
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly names: DeliveryNames,
  ) {}

  @Read()
  async list(
    @CurrentUser() { agencyId, workspaceId }: DashboardSession,
    @Query() query: DeliveriesQuery,
  ): Promise<DeliveriesAnswer> {
    const search = new SearchDeliveries(agencyId, deliveryFilter(query), query.limit ?? DEFAULT_PAGE_SIZE, query.after);
    const { deliveries, next, isCutOff } = await unlessUnbound(this.queries.execute(search), NO_DELIVERIES);
    const names = await this.names.of({ agencyId, workspaceId }, deliveries);
    const page = {
      data: deliveries.map((delivery) => listedDelivery(delivery, names)),
      next_cursor: next?.id ?? null,
      searched_until: isCutOff ? (next?.at ?? null) : null,
    };
    if (query.tab !== 'undelivered') return page;
    const spans = await unlessUnbound(this.queries.execute(new ListDisabledSpans(agencyId)), []);
    return { ...page, disabled_spans: spans.map(publicDisabledSpan) };
  }

  @Read('count')
  async count(
    @CurrentUser() { agencyId }: DashboardSession,
    @Query() query: DeliveryTabFilters,
  ): Promise<DeliveryCountAnswer> {
    const counted = countDeliveries(this.queries, agencyId, deliveryFilter(query));
    const { count, delivered, isMore } = await unlessUnbound(counted, { count: 0, delivered: 0, isMore: false });
    return { count, delivered, is_more: isMore };
  }

  @Read(':id')
  async show(@CurrentUser() user: DashboardSession, @Param('id') id: string): Promise<DeliveryAnswer> {
    const shown = await this.queries.execute(new GetDelivery(user.agencyId, idParam('webhookDelivery', id)));
    return shownDelivery(shown, await this.names.of(user, [shown.delivery]));
  }

  @Post(':id/replay')
  @Rights('replay')
  async replay(@CurrentUser() { agencyId, context }: DashboardSession, @Param('id') id: string) {
    const { delivery } = await this.queries.execute(new GetDelivery(agencyId, idParam('webhookDelivery', id)));
    const replayed = await this.commands.execute(new ReplayDelivery(delivery.deliveryId, context));
    return { id: delivery.deliveryId, status: replayed.status === 'unknown' ? delivery.status : replayed.status };
  }
}

export const listedDelivery = (delivery: FoundDeliveries['deliveries'][number], names: NamesOfDeliveries) => ({
  ...publicDelivery(delivery),
  remedy: deliveryRemedy(delivery.lastStatus, delivery.lastError),
  ...namesOf(delivery, names),
  creator_id: delivery.creatorId,
  created_at: instantIn(delivery.eventId),
});

/** The bytes of an event, or why they may not be shown. */
export const shownBytes = (event: ShownDelivery['event']) =>
  event.kind === 'visible' ? { bytes: event.bytes, withheld: null } : { bytes: '', withheld: event.kind };

const shownDelivery = (
  { delivery, attempts, event, headers }: ShownDelivery,
  names: NamesOfDeliveries,
): DeliveryAnswer => ({
  ...namesOf(delivery, names),
  id: delivery.deliveryId,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  creator_id: delivery.creatorId,
  status: delivery.status,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  next_attempt_at: delivery.status === 'pending' ? delivery.dueAt : null,
  created_at: instantIn(delivery.eventId),
  ...shownBytes(event),
  headers: headers ?? {},
  attempts: attempts.map((one) => ({ ...publicAttempt(one), remedy: deliveryRemedy(one.status, one.error) })),
});

/** An inherited `endpoint` would remain optional. */
class RequestReplayBody extends OmitType(DeliveryTabFilters, ['endpoint']) {
  @Text(MAX_ID_LENGTH)
  endpoint!: string;
}

@Controller('dashboard/api/replays')
export class ReplaysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Counts the matching deliveries, which is a read too (D109). */
  @Post()
  @Rights('replay')
  @UseInterceptors(ReadInTurn)
  async request(
    @CurrentUser() { agencyId, context }: DashboardSession,
    @Body() body: RequestReplayBody,
  ): Promise<ReplayAnswer> {
    const { endpointId: _, ...filter } = deliveryFilter(body);
    const endpoint = new GetEndpoint(idParam('webhookEndpoint', body.endpoint), agencyId);
    const { endpointId } = await this.queries.execute(endpoint);
    return shownReplay(await this.commands.execute(new RequestReplay(endpointId, filter, context)));
  }

  /** The latest replay of each active endpoint. */
  @Read()
  async list(@CurrentUser() { agencyId }: DashboardSession): Promise<ListOf<ReplayAnswer>> {
    return { data: (await this.queries.execute(new ListReplays(agencyId))).map(shownReplay) };
  }

  @Post(':id/end')
  @HttpCode(200)
  @Rights('replay')
  async end(@CurrentUser() { agencyId, context }: DashboardSession, @Param('id') id: string): Promise<ReplayAnswer> {
    const { endpointId } = await this.queries.execute(new GetReplay(idParam('webhookEndpoint', id), agencyId));
    return shownReplay(await this.commands.execute(new EndReplay(endpointId, context)));
  }
}

const shownReplay = (replay: RequestedReplay): ReplayAnswer => ({
  ...publicReplay(replay),
  endpoint_id: replay.endpointId,
});
