import { Body, Controller, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsHash, IsObject } from 'class-validator';
import ms from 'ms';
import { instantIn, PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { idParam, OneOf, Optional, PageQuery, rule, Text } from '#http';
import { Clock, DAY, DomainError } from '#kernel';
import {
  CheckSignature,
  ChooseEventTypes,
  chosenTypes,
  DisableEndpoint,
  EnableEndpoint,
  type FoundDeliveries,
  GetEndpoint,
  ListEndpoints,
  publicEndpoint,
  publicHealth,
  RegisterEndpoint,
  RotateSecret,
  SearchDeliveries,
  ShowEndpoints,
  type ShownEndpoint,
  TestEndpoint,
} from '#webhooks';
import type { PageOf } from '../../answers/parts.js';
import type {
  EndpointAnswer,
  EndpointFailureAnswer,
  ListedEndpointAnswer,
  RegisteredEndpointAnswer,
  RotatedSecretAnswer,
  SignatureCheckAnswer,
  TestAnswer,
} from '../../answers/webhooks.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read, Rights } from '../access/rights.js';
import { RECEIVER_SAMPLES } from '../code-samples.js';
import { MAX_ID_LENGTH } from '../deliveries/delivery-filters.js';
import { deliveryRemedy } from '../deliveries/remedies.js';
import { pageOf, unlessUnbound } from '../lists.js';
import { signatureMessage } from './signature-message.js';

const MAX_URL_LENGTH = 2_048;
/** Deliveries of an endpoint that are looked through for failures. */
const LOOKED_THROUGH = 1_000;
const OVERLAPS = ['0', '24h', '7d'] as const;

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

class SignatureCheckBody {
  @Text(MAX_ID_LENGTH)
  endpoint!: string;

  @IsObject({ message: 'must be an object with the headers' })
  headers!: Readonly<Record<string, string>>;

  /** SHA-256 of the received bytes. */
  @IsHash('sha256', { message: 'must be a SHA-256 in hexadecimal' })
  sha256!: string;
}

/** Null for all types, including later ones (D104). */
function EventTypes() {
  return rule({ type: 'array', items: { type: 'string', enum: PUBLIC_EVENT_TYPES } }, (value) => {
    if (value === null) return undefined;
    const isKnown = (one: unknown) => PUBLIC_EVENT_TYPES.some((type) => type === one);
    const isList = Array.isArray(value) && value.length > 0 && value.every(isKnown);
    return isList ? undefined : `must be null, or some of ${PUBLIC_EVENT_TYPES.join(', ')}`;
  });
}

@Controller('dashboard/api')
export class EndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  @Read('endpoints')
  async list(
    @CurrentUser() { agencyId }: DashboardSession,
    @Query() page: PageQuery,
  ): Promise<PageOf<ListedEndpointAnswer>> {
    const endpoints = await unlessUnbound(this.queries.execute(new ListEndpoints(agencyId)), []);
    const { data, next_cursor } = pageOf(endpoints, page);
    const shown = await this.queries.execute(new ShowEndpoints(data));
    return { data: shown.map(listedEndpoint), next_cursor };
  }

  @Read('endpoints/:id')
  async show(@CurrentUser() user: DashboardSession, @Param('id') id: string): Promise<EndpointAnswer> {
    const { agencyId } = user;
    const { endpointId, secrets } = await this.queries.execute(
      new GetEndpoint(idParam('webhookEndpoint', id), agencyId),
    );
    const now = this.clock.now();
    const found = (await this.queries.execute(new ListEndpoints(agencyId))).filter((one) => one.id === endpointId);
    const [endpoint] = await this.queries.execute(new ShowEndpoints(found));
    // The list lags behind the stream.
    if (endpoint === undefined) throw new DomainError('not_found');
    const filter = { endpointId, from: now - 7 * DAY };
    const search = new SearchDeliveries(agencyId, filter, LOOKED_THROUGH, undefined, LOOKED_THROUGH);
    const { deliveries } = await this.queries.execute(search);
    return {
      ...listedEndpoint(endpoint),
      failing_since: endpoint.status === 'active' ? endpoint.failingSince : null,
      days: endpoint.health.days.map(({ day, latency, ...counts }) => ({
        day: new Date(day).toISOString().slice(0, 10),
        ...counts,
        latency_ms: latency,
      })),
      failures: failuresOf(deliveries),
      secrets: secrets.filter(({ until }) => until === null || now < until).map(({ until }) => ({ until })),
    };
  }

  @Post('endpoints')
  @Rights('manage_endpoints')
  async register(
    @CurrentUser() { agencyId, context }: DashboardSession,
    @Body() { url, types }: RegisterEndpointBody,
  ): Promise<RegisteredEndpointAnswer> {
    const command = new RegisterEndpoint(agencyId, url, context, chosenTypes(types));
    const { endpoint, secret } = await this.commands.execute(command);
    const { endpointId: id, registeredAt: created_at } = endpoint;
    return { id, url: endpoint.url, secret, created_at, samples: RECEIVER_SAMPLES };
  }

  @Post('endpoints/:id/test')
  @Rights('manage_endpoints')
  async test(@CurrentUser() user: DashboardSession, @Param('id') id: string): Promise<TestAnswer> {
    const endpointId = await this.own(user, id);
    const { body, result } = await this.commands.execute(new TestEndpoint(endpointId, user.context));
    const { headers = {}, status, ms = null, error } = result ?? { status: null, error: 'pending' };
    return { headers, body, status, ms, error, remedy: deliveryRemedy(status, error) };
  }

  @Post('endpoints/:id/rotate')
  @Rights('manage_endpoints')
  async rotate(
    @CurrentUser() user: DashboardSession,
    @Param('id') id: string,
    @Body() { overlap }: RotateSecretBody,
  ): Promise<RotatedSecretAnswer> {
    const endpointId = await this.own(user, id);
    const command = new RotateSecret(endpointId, ms(overlap), user.context);
    const { secret } = await this.commands.execute(command);
    return { id: endpointId, secret };
  }

  @Post('endpoints/:id/disable')
  @Rights('disable_endpoints')
  async disable(@CurrentUser() user: DashboardSession, @Param('id') id: string) {
    return this.switch(new DisableEndpoint(await this.own(user, id), user.context));
  }

  @Post('endpoints/:id/enable')
  @Rights('manage_endpoints')
  async enable(@CurrentUser() user: DashboardSession, @Param('id') id: string) {
    return this.switch(new EnableEndpoint(await this.own(user, id), user.context));
  }

  @Put('endpoints/:id/types')
  @Rights('manage_endpoints')
  async choose(@CurrentUser() user: DashboardSession, @Param('id') id: string, @Body() { types }: ChooseTypesBody) {
    const command = new ChooseEventTypes(await this.own(user, id), chosenTypes(types), user.context);
    const endpoint = await this.commands.execute(command);
    return { id: endpoint.endpointId, types: endpoint.types };
  }

  /** A POST, because headers and a hash are too long for a URL. Nothing changes. */
  @Post('signature-check')
  @HttpCode(200)
  @Rights('read')
  async check(
    @CurrentUser() { agencyId }: DashboardSession,
    @Body() body: SignatureCheckBody,
  ): Promise<SignatureCheckAnswer> {
    const named = Object.entries(body.headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    const endpointId = idParam('webhookEndpoint', body.endpoint);
    const check = new CheckSignature(endpointId, new Map(named), body.sha256, agencyId);
    const result = await this.queries.execute(check);
    return { verdict: result.verdict, message: signatureMessage(result) };
  }

  private async switch(command: DisableEndpoint | EnableEndpoint) {
    const { endpointId, status } = await this.commands.execute(command);
    return { id: endpointId, status };
  }

  private async own({ agencyId }: DashboardSession, id: string) {
    return (await this.queries.execute(new GetEndpoint(idParam('webhookEndpoint', id), agencyId))).endpointId;
  }
}

const listedEndpoint = (endpoint: ShownEndpoint): ListedEndpointAnswer => ({
  ...publicEndpoint(endpoint),
  ...publicHealth(endpoint),
  is_failing: endpoint.failingSince !== null,
});

/** By the latest answer, the most frequent first. */
const failuresOf = (deliveries: FoundDeliveries['deliveries']): EndpointFailureAnswer[] => {
  const failed = deliveries.filter(({ status, lastError }) => status !== 'delivered' && lastError !== null);
  const groups = Map.groupBy(failed, ({ lastStatus, lastError }) => `${lastStatus} ${lastError}`);
  const shown = [...groups.values()].map((group) => ({
    status: group[0]?.lastError === 'refused' ? group[0].lastStatus : null,
    error: group[0]?.lastError ?? null,
    remedy: deliveryRemedy(group[0]?.lastStatus ?? null, group[0]?.lastError ?? null),
    count: group.length,
    last_at: Math.max(...group.map(({ eventId }) => instantIn(eventId))),
  }));
  return shown.toSorted((one, other) => other.count - one.count);
};
