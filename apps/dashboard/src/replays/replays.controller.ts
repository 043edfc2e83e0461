import { Body, Controller, HttpCode, Param, Post, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { OmitType } from '@nestjs/swagger';
import { idParam, Text } from '#http';
import {
  EndReplay,
  GetEndpoint,
  GetReplay,
  ListReplays,
  publicReplay,
  type RequestedReplay,
  RequestReplay,
} from '#webhooks';
import { ReadInTurn } from '../access/dashboard-reads.js';
import { Read, Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { DeliveryTabFilters, deliveryFilter } from '../deliveries/delivery-filter.js';
import type { ReplayAnswer, ReplaysAnswer } from './answers.js';

const MAX_ID_LENGTH = 40;

/** The filters of the list on a tab, of one endpoint. An inherited field would stay optional. */
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

  /** Counts what matches, which is a read too (D109). */
  @Post()
  @Rights('replay')
  @UseInterceptors(ReadInTurn)
  async request(@Visitor() { agencyId, context }: Visit, @Body() body: RequestReplayBody): Promise<ReplayAnswer> {
    const { endpointId: _, ...filter } = deliveryFilter(body);
    const { endpointId } = await this.queries.execute(
      new GetEndpoint(idParam('webhookEndpoint', body.endpoint), agencyId),
    );
    return shown(await this.commands.execute(new RequestReplay(endpointId, filter, context)));
  }

  /** The latest replay of each active endpoint. */
  @Read()
  async list(@Visitor() { agencyId }: Visit): Promise<ReplaysAnswer> {
    return { data: (await this.queries.execute(new ListReplays(agencyId))).map(shown) };
  }

  @Post(':id/end')
  @HttpCode(200)
  @Rights('replay')
  async end(@Visitor() { agencyId, context }: Visit, @Param('id') id: string): Promise<ReplayAnswer> {
    const { endpointId } = await this.queries.execute(new GetReplay(idParam('webhookEndpoint', id), agencyId));
    return shown(await this.commands.execute(new EndReplay(endpointId, context)));
  }
}

const shown = (replay: RequestedReplay): ReplayAnswer => ({
  ...publicReplay(replay),
  endpoint_id: replay.endpointId,
});
