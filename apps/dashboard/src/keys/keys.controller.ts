import { Body, Controller, Delete, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Transform } from 'class-transformer';
import {
  GetKey,
  IssueKey,
  KEY_LIFETIMES,
  type KeyLifetime,
  KeyUses,
  type ListedKey,
  ListKeys,
  MAX_KEY_NAME_LENGTH,
  PRESETS,
  type Preset,
  RevokeKey,
} from '#agencies';
import { CallCounts, type CallsOfKey } from '#dashboard';
import { idParam, OneOf, Optional, PageQuery, Text } from '#http';
import type { Instant } from '#kernel';
import { Read, Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { ApiAddress } from '../api-address.js';
import { callSamples } from '../code-samples.js';
import { unlessUnbound } from '../found-or.js';
import { pageOf } from '../paging.js';
import type { CreatedKeyAnswer, KeyCallsAnswer, KeySettings, KeysAnswer } from './answers.js';

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

  @Read()
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

  @Read(':id/calls')
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

/** Keys that work come before those that do not, and new ones before old ones. */
export const usableFirst = (keys: readonly ListedKey[]): ListedKey[] =>
  keys.toSorted(
    (one, other) =>
      Number(other.status === 'active') - Number(one.status === 'active') || other.createdAt - one.createdAt,
  );

export const listedKey = (key: ListedKey, recordedSince: Instant | undefined, calls: CallsOfKey | undefined) => ({
  id: key.id,
  name: key.name,
  preset: key.scopes.length === PRESETS.read_write.length ? ('read_write' as const) : ('read_only' as const),
  scopes: key.scopes,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  uses_recorded_since: recordedSince ?? null,
  calls_24h: calls?.last24Hours ?? 0,
  calls_7d: calls?.last7Days ?? 0,
  expires_at: key.expiresAt,
  status: key.status,
});
