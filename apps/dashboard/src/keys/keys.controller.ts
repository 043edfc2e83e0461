import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { GetKey, IssueKey, KeyUses, ListKeys, RevokeKey } from '#agencies';
import { CallCounts } from '#dashboard';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { ApiAddress } from '../api-address.js';
import { callSamples } from '../code-samples.js';
import { unlessUnbound } from '../found-or.js';
import { pageOf } from '../paging.js';
import {
  CreatedKeyAnswer,
  CreateKeyBody,
  KeyCallsAnswer,
  KeysAnswer,
  KeysQuery,
  RevokedKeyAnswer,
} from './keys.dto.js';
import { listedKey, usableFirst } from './listed-key.js';

@Controller('dashboard/api/keys')
export class KeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly uses: KeyUses,
    private readonly calls: CallCounts,
    private readonly api: ApiAddress,
  ) {}

  @Get()
  @Rights('read')
  @ApiOkResponse({ type: KeysAnswer })
  async list(@Visitor() { agencyId }: Visit, @Query() { key: only, ...page }: KeysQuery): Promise<KeysAnswer> {
    const [keys, since, calls] = await Promise.all([
      unlessUnbound(this.queries.execute(new ListKeys(agencyId)), []),
      this.uses.recordedSince(),
      this.calls.ofKeys(agencyId),
    ]);
    const shown = usableFirst(keys).filter(({ id }) => only === undefined || id === only);
    const { data, next_cursor } = pageOf(shown, page);
    return { data: data.map((key) => listedKey(key, since, calls.get(key.id))), next_cursor };
  }

  @Post()
  @Rights('manage_keys')
  @ApiCreatedResponse({ type: CreatedKeyAnswer })
  async create(@Visitor() { agencyId, context }: Visit, @Body() body: CreateKeyBody): Promise<CreatedKeyAnswer> {
    const { key, secret } = await this.commands.execute(new IssueKey(agencyId, body, context));
    const samples = callSamples(this.api.url, secret);
    return { id: key.keyId, secret, scopes: key.scopes, expires_at: key.expiresAt, samples };
  }

  @Get(':id/calls')
  @Rights('read')
  @ApiOkResponse({ type: KeyCallsAnswer })
  async callsOf(@Visitor() { agencyId }: Visit, @Param('id') id: string): Promise<KeyCallsAnswer> {
    const { keyId } = await this.queries.execute(new GetKey(agencyId, idParam('key', id)));
    return { data: await this.calls.byRoute(keyId) };
  }

  @Delete(':id')
  @Rights('revoke_keys')
  @ApiOkResponse({ type: RevokedKeyAnswer })
  async revoke(@Visitor() { agencyId, context }: Visit, @Param('id') id: string): Promise<RevokedKeyAnswer> {
    const { keyId } = await this.queries.execute(new GetKey(agencyId, idParam('key', id)));
    const key = await this.commands.execute(new RevokeKey(keyId, context));
    return { id: keyId, revoked_at: key.status === 'unknown' ? null : key.revokedAt };
  }
}
