import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Transform } from 'class-transformer';
import {
  GetKey,
  IssueKey,
  KEY_LIFETIMES,
  type KeyLifetime,
  KeyUses,
  ListKeys,
  MAX_KEY_NAME_LENGTH,
  PRESETS,
  type Preset,
  RevokeKey,
} from '#agencies';
import { CallCounts } from '#dashboard';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional, Text } from '../../../api/src/http/validation/rules.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { ApiAddress } from '../api-address.js';
import { callSamples } from '../code-samples.js';
import { unlessUnbound } from '../found-or.js';
import { pageOf } from '../paging.js';
import type { CreatedKeyAnswer, KeyCallsAnswer, KeySettings, KeysAnswer } from './answers.js';
import { listedKey, usableFirst } from './listed-key.js';

const MAX_ID_LENGTH = 40;

class KeysQuery extends PageQuery {
  /** One of them only. */
  @Optional()
  @Text(MAX_ID_LENGTH)
  key?: string;
}

class CreateKeyBody implements KeySettings {
  /** Empty as good as none. */
  @Transform(({ value }) => (value === '' ? undefined : value), { toClassOnly: true })
  @Optional()
  @Text(MAX_KEY_NAME_LENGTH)
  name?: string;

  @OneOf(...Object.keys(PRESETS))
  preset!: Preset;

  @OneOf(...Object.keys(KEY_LIFETIMES))
  lifetime!: KeyLifetime;
}

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
  async create(@Visitor() { agencyId, context }: Visit, @Body() body: CreateKeyBody): Promise<CreatedKeyAnswer> {
    const { key, secret } = await this.commands.execute(new IssueKey(agencyId, body, context));
    const samples = callSamples(this.api.url, secret);
    return { id: key.keyId, secret, scopes: key.scopes, expires_at: key.expiresAt, samples };
  }

  @Get(':id/calls')
  @Rights('read')
  async callsOf(@Visitor() { agencyId }: Visit, @Param('id') id: string): Promise<KeyCallsAnswer> {
    const { keyId } = await this.queries.execute(new GetKey(agencyId, idParam('key', id)));
    return { data: await this.calls.byRoute(keyId) };
  }

  @Delete(':id')
  @Rights('revoke_keys')
  async revoke(@Visitor() { agencyId, context }: Visit, @Param('id') id: string) {
    const { keyId } = await this.queries.execute(new GetKey(agencyId, idParam('key', id)));
    const key = await this.commands.execute(new RevokeKey(keyId, context));
    return { id: keyId, revoked_at: key.status === 'unknown' ? null : key.revokedAt };
  }
}
