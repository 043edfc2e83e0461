import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IntersectionType, PickType } from '@nestjs/swagger';
import ms from 'ms';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import {
  AwaitTestResult,
  ChooseEventTypes,
  chosenTypes,
  DisableEndpoint,
  EnableEndpoint,
  GetEndpoint,
  ListEndpoints,
  publicEndpoint,
  publicHealth,
  RegisterEndpoint,
  RequestTest,
  RotateSecret,
  ShowEndpoints,
} from '#webhooks';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional, rule, Text } from '../../../api/src/http/validation/rules.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { receiverSamples } from '../code-samples.js';
import { DeliveryFilters } from '../deliveries/delivery-filter.js';
import { unlessUnbound } from '../found-or.js';
import { pageOf } from '../paging.js';
import type { EndpointsAnswer, RegisteredEndpointAnswer, RotatedSecretAnswer, TestAnswer } from './answers.js';

const MAX_URL_LENGTH = 2_048;
const OVERLAPS = ['0', '24h', '7d'] as const;

/** `endpoint`: one of them only. */
class EndpointsQuery extends IntersectionType(PickType(DeliveryFilters, ['endpoint']), PageQuery) {}

class RegisterEndpointBody {
  @Text(MAX_URL_LENGTH)
  url!: string;

  @Optional()
  @EventTypes()
  types?: readonly PublicEventType[] | null;
}

class ChooseTypesBody {
  @EventTypes()
  types!: readonly PublicEventType[] | null;
}

class RotateSecretBody {
  @OneOf(...OVERLAPS)
  overlap!: (typeof OVERLAPS)[number];
}

/** Null for all types, also those that are added later (D104). */
function EventTypes() {
  return rule({ type: 'array', items: { type: 'string', enum: PUBLIC_EVENT_TYPES } }, (value) => {
    if (value === null) return undefined;
    const isKnown = (one: unknown) => PUBLIC_EVENT_TYPES.some((type) => type === one);
    const isList = Array.isArray(value) && value.length > 0 && value.every(isKnown);
    return isList ? undefined : `must be null, or some of ${PUBLIC_EVENT_TYPES.join(', ')}`;
  });
}

@Controller('dashboard/api/endpoints')
export class EndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Rights('read')
  async list(
    @Visitor() { agencyId }: Visit,
    @Query() { endpoint: only, ...page }: EndpointsQuery,
  ): Promise<EndpointsAnswer> {
    const endpoints = await unlessUnbound(this.queries.execute(new ListEndpoints(agencyId)), []);
    const found = endpoints.filter(({ id }) => only === undefined || id === only);
    const { data, next_cursor } = pageOf(found, page);
    const shown = await this.queries.execute(new ShowEndpoints(data));
    return { data: shown.map((endpoint) => ({ ...publicEndpoint(endpoint), ...publicHealth(endpoint) })), next_cursor };
  }

  @Post()
  @Rights('manage_endpoints')
  async register(
    @Visitor() { agencyId, context }: Visit,
    @Body() { url, types }: RegisterEndpointBody,
  ): Promise<RegisteredEndpointAnswer> {
    const command = new RegisterEndpoint(agencyId, url, context, chosenTypes(types));
    const { endpoint, secret } = await this.commands.execute(command);
    const { endpointId: id, registeredAt: created_at } = endpoint;
    return { id, url: endpoint.url, secret, created_at, samples: receiverSamples() };
  }

  @Post(':id/test')
  @Rights('manage_endpoints')
  async test(@Visitor() visit: Visit, @Param('id') id: string): Promise<TestAnswer> {
    const endpointId = await this.own(visit, id);
    const { test } = await this.commands.execute(new RequestTest(endpointId, visit.context));
    const { body, result } = await this.queries.execute(new AwaitTestResult(endpointId, test?.testId ?? ''));
    if (result === null) return { headers: {}, body, status: null, ms: null, error: 'pending' };
    return { headers: result.headers ?? {}, body, status: result.status, ms: result.ms ?? null, error: result.error };
  }

  @Post(':id/rotate')
  @Rights('manage_endpoints')
  async rotate(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Body() { overlap }: RotateSecretBody,
  ): Promise<RotatedSecretAnswer> {
    const endpointId = await this.own(visit, id);
    const command = new RotateSecret(endpointId, ms(overlap), visit.context);
    const { secret } = await this.commands.execute(command);
    return { id: endpointId, secret };
  }

  @Post(':id/disable')
  @Rights('disable_endpoints')
  async disable(@Visitor() visit: Visit, @Param('id') id: string) {
    const command = new DisableEndpoint(await this.own(visit, id), visit.context);
    const { endpointId, status } = await this.commands.execute(command);
    return { id: endpointId, status };
  }

  @Post(':id/enable')
  @Rights('manage_endpoints')
  async enable(@Visitor() visit: Visit, @Param('id') id: string) {
    const command = new EnableEndpoint(await this.own(visit, id), visit.context);
    const { endpointId, status } = await this.commands.execute(command);
    return { id: endpointId, status };
  }

  @Put(':id/types')
  @Rights('manage_endpoints')
  async choose(@Visitor() visit: Visit, @Param('id') id: string, @Body() { types }: ChooseTypesBody) {
    const command = new ChooseEventTypes(await this.own(visit, id), chosenTypes(types), visit.context);
    const endpoint = await this.commands.execute(command);
    return { id: endpoint.endpointId, types: endpoint.types };
  }

  /** Another agency's endpoint is not found. */
  private async own({ agencyId }: Visit, id: string) {
    return (await this.queries.execute(new GetEndpoint(idParam('webhookEndpoint', id), agencyId))).endpointId;
  }
}
