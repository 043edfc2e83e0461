import { Body, Controller, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IntersectionType, PickType } from '@nestjs/swagger';
import { IsHash, IsObject } from 'class-validator';
import ms from 'ms';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { idParam, OneOf, Optional, PageQuery, rule, Text } from '#http';
import { MINUTE, SECOND } from '#kernel';
import {
  AwaitTestResult,
  type CheckResult,
  CheckSignature,
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
import { Read, Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { receiverSamples } from '../code-samples.js';
import { DeliveryFilters } from '../deliveries/delivery-filter.js';
import { unlessUnbound } from '../found-or.js';
import { pageOf } from '../paging.js';
import type {
  EndpointsAnswer,
  RegisteredEndpointAnswer,
  RotatedSecretAnswer,
  SignatureCheckAnswer,
  TestAnswer,
} from './answers.js';

const MAX_ID_LENGTH = 40;
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

class SignatureCheckBody {
  @Text(MAX_ID_LENGTH)
  endpoint!: string;

  @IsObject({ message: 'must be an object with the headers' })
  headers!: Readonly<Record<string, string>>;

  /** SHA-256 of the received bytes. */
  @IsHash('sha256', { message: 'must be a SHA-256 in hexadecimal' })
  sha256!: string;
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

@Controller('dashboard/api')
export class EndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Read('endpoints')
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

  @Post('endpoints')
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

  @Post('endpoints/:id/test')
  @Rights('manage_endpoints')
  async test(@Visitor() visit: Visit, @Param('id') id: string): Promise<TestAnswer> {
    const endpointId = await this.own(visit, id);
    const { test } = await this.commands.execute(new RequestTest(endpointId, visit.context));
    const { body, result } = await this.queries.execute(new AwaitTestResult(endpointId, test?.testId ?? ''));
    if (result === null) return { headers: {}, body, status: null, ms: null, error: 'pending' };
    return { headers: result.headers ?? {}, body, status: result.status, ms: result.ms ?? null, error: result.error };
  }

  @Post('endpoints/:id/rotate')
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

  @Post('endpoints/:id/disable')
  @Rights('disable_endpoints')
  async disable(@Visitor() visit: Visit, @Param('id') id: string) {
    const command = new DisableEndpoint(await this.own(visit, id), visit.context);
    const { endpointId, status } = await this.commands.execute(command);
    return { id: endpointId, status };
  }

  @Post('endpoints/:id/enable')
  @Rights('manage_endpoints')
  async enable(@Visitor() visit: Visit, @Param('id') id: string) {
    const command = new EnableEndpoint(await this.own(visit, id), visit.context);
    const { endpointId, status } = await this.commands.execute(command);
    return { id: endpointId, status };
  }

  @Put('endpoints/:id/types')
  @Rights('manage_endpoints')
  async choose(@Visitor() visit: Visit, @Param('id') id: string, @Body() { types }: ChooseTypesBody) {
    const command = new ChooseEventTypes(await this.own(visit, id), chosenTypes(types), visit.context);
    const endpoint = await this.commands.execute(command);
    return { id: endpoint.endpointId, types: endpoint.types };
  }

  /** A body, because headers and a hash are too long for an address; nothing changes. */
  @Post('signature-check')
  @HttpCode(200)
  @Rights('read')
  async check(@Visitor() { agencyId }: Visit, @Body() body: SignatureCheckBody): Promise<SignatureCheckAnswer> {
    const named = Object.entries(body.headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    const endpointId = idParam('webhookEndpoint', body.endpoint);
    const result = await this.queries.execute(new CheckSignature(endpointId, new Map(named), body.sha256, agencyId));
    return { verdict: result.verdict, message: signatureMessage(result) };
  }

  /** Another agency's endpoint is not found. */
  private async own({ agencyId }: Visit, id: string) {
    return (await this.queries.execute(new GetEndpoint(idParam('webhookEndpoint', id), agencyId))).endpointId;
  }
}

/** Explains the verdict and says what to check in the receiver. */
const signatureMessage = ({ verdict, age }: CheckResult): string => {
  switch (verdict) {
    case 'valid':
      return 'Valid: these headers and bytes are what was sent, and the signature is of a secret in force.';
    case 'clock':
      return `Clock: the signature is right, but its timestamp is ${distance(age)} the present time; receivers refuse more than five minutes. If the request has just arrived, the receiver's clock is wrong.`;
    case 'bytes':
      return 'Bytes: the body is not what was sent. Check the signature over the raw bytes, before anything parses or prints them again.';
    case 'older_secret':
      return 'Older secret: a secret that no longer signs has made the signature. The request is from before the rotation.';
    case 'unknown_secret':
      return 'Unknown secret: no secret of this endpoint has made this signature. Check that the header is complete.';
  }
};

const distance = (age: number): string => {
  const seconds = Math.round(Math.abs(age) / SECOND);
  const length = Math.abs(age) < 2 * MINUTE ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${length} ${age < 0 ? 'after' : 'before'}`;
};
