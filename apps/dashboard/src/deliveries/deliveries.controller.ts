import { Controller, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IntersectionType } from '@nestjs/swagger';
import { DEFAULT_PAGE_SIZE, idParam, PageQuery } from '#http';
import {
  countDeliveries,
  type FoundDeliveries,
  GetDelivery,
  ListDisabledSpans,
  publicDisabledSpan,
  ReplayDelivery,
  SearchDeliveries,
} from '#webhooks';
import { Read, Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { unlessUnbound } from '../found-or.js';
import type { DeliveriesAnswer, DeliveryAnswer, DeliveryCountAnswer } from './answers.js';
import { DeliveryTabFilters, deliveryFilter } from './delivery-filter.js';
import { listedDelivery, shownDelivery } from './shown-delivery.js';

const NOTHING: FoundDeliveries = { deliveries: [], next: null, isCutOff: false };

class DeliveriesQuery extends IntersectionType(DeliveryTabFilters, PageQuery) {}

@Controller('dashboard/api/deliveries')
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Read()
  async list(@Visitor() { agencyId }: Visit, @Query() query: DeliveriesQuery): Promise<DeliveriesAnswer> {
    const { tab, limit = DEFAULT_PAGE_SIZE, after } = query;
    const search = new SearchDeliveries(agencyId, deliveryFilter(query), limit, after);
    const { deliveries, next, isCutOff } = await unlessUnbound(this.queries.execute(search), NOTHING);
    return {
      data: deliveries.map(listedDelivery),
      next_cursor: next?.id ?? null,
      searched_until: isCutOff ? (next?.at ?? null) : null,
      ...(tab === 'undelivered' && { disabled_spans: await this.disabledSpans(agencyId) }),
    };
  }

  @Read('count')
  async count(@Visitor() { agencyId }: Visit, @Query() query: DeliveryTabFilters): Promise<DeliveryCountAnswer> {
    const counted = countDeliveries(this.queries, agencyId, deliveryFilter(query));
    const { count, isMore } = await unlessUnbound(counted, { count: 0, isMore: false });
    return { count, is_more: isMore };
  }

  @Read(':id')
  async show(@Visitor() { agencyId }: Visit, @Param('id') id: string): Promise<DeliveryAnswer> {
    return shownDelivery(await this.queries.execute(new GetDelivery(agencyId, idParam('webhookDelivery', id))));
  }

  @Post(':id/replay')
  @Rights('replay')
  async replay(@Visitor() { agencyId, context }: Visit, @Param('id') id: string) {
    const { delivery } = await this.queries.execute(new GetDelivery(agencyId, idParam('webhookDelivery', id)));
    const replayed = await this.commands.execute(new ReplayDelivery(delivery.deliveryId, context));
    return { id: delivery.deliveryId, status: replayed.status === 'unknown' ? delivery.status : replayed.status };
  }

  private async disabledSpans(agencyId: Visit['agencyId']) {
    const spans = await unlessUnbound(this.queries.execute(new ListDisabledSpans(agencyId)), []);
    return spans.map(publicDisabledSpan);
  }
}
