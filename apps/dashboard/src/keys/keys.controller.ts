import { Body, Controller, Delete, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
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
import { type AgencyId, DomainError, EventLog, type Instant, streamName } from '#kernel';
import type { CreatedKeyAnswer, KeyAnswer, KeySettings, ListedKeyAnswer } from '../../answers/keys.js';
import type { PageOf } from '../../answers/parts.js';
import { ActorNames } from '../access/actor-names.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read, Rights } from '../access/rights.js';
import { CodeSamples } from '../code-samples.js';
import { pageOf, sortedBy, unlessUnbound } from '../lists.js';

class CreateKeyBody implements KeySettings {
  @Text(MAX_KEY_NAME_LENGTH)
  name!: string;

  @OneOf(...Object.keys(PRESETS))
  preset!: Preset;

  @OneOf(...Object.keys(KEY_LIFETIMES))
  lifetime!: KeyLifetime;
}

const STATUSES = ['active', 'expired', 'revoked', 'earlier_binding'] as const satisfies ListedKeyAnswer['status'][];
const FIELDS: readonly (keyof ListedKeyAnswer)[] = [
  ...(['name', 'last_four', 'preset', 'last_used_at', 'calls_24h', 'calls_7d', 'expires_at', 'status'] as const),
];

class KeysQuery extends PageQuery {
  @Optional()
  @OneOf(...STATUSES)
  status?: ListedKeyAnswer['status'];

  /** Without one, keys that work come first, and then newer ones. */
  @Optional()
  @OneOf(...FIELDS, ...FIELDS.map((field) => `-${field}`))
  sort?: string;
}

@Controller('dashboard/api/keys')
export class KeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly uses: KeyUses,
    private readonly calls: CallCounts,
    private readonly samples: CodeSamples,
    private readonly log: EventLog,
    private readonly actors: ActorNames,
  ) {}

  @Read()
  async list(
    @CurrentUser() { agencyId }: DashboardSession,
    @Query() { status, sort, ...page }: KeysQuery,
  ): Promise<PageOf<ListedKeyAnswer>> {
    const keys = await unlessUnbound(this.queries.execute(new ListKeys(agencyId)), []);
    const wanted = keys.filter((key) => status === undefined || key.status === status);
    const listed = await this.listed(agencyId, usableFirst(wanted));
    return pageOf(sort === undefined ? listed : sortedBy(listed, sort), page);
  }

  @Post()
  @Rights('manage_keys')
  async create(
    @CurrentUser() { agencyId, context }: DashboardSession,
    @Body() body: CreateKeyBody,
  ): Promise<CreatedKeyAnswer> {
    const { key, secret } = await this.commands.execute(new IssueKey(agencyId, body, context));
    const samples = this.samples.firstCall(secret);
    return { id: key.keyId, secret, scopes: key.scopes, expires_at: key.expiresAt, samples };
  }

  @Read(':id')
  async show(@CurrentUser() { agencyId }: DashboardSession, @Param('id') id: string): Promise<KeyAnswer> {
    const keys = await this.queries.execute(new ListKeys(agencyId));
    const wanted = keys.filter((one) => one.id === id);
    const [key] = await this.listed(agencyId, wanted);
    if (key === undefined) throw new DomainError('not_found');
    const keyId = idParam('key', id);
    const issued = await this.log.readStream(streamName('apiKey', keyId), { limit: 1 });
    const actor = issued[0]?.metadata.actor ?? '';
    const named = await this.actors.of({ agencyId }, [actor]);
    return { ...key, created_by: named(actor), calls: await this.calls.byRoute(keyId) };
  }

  @Delete(':id')
  @Rights('revoke_keys')
  async revoke(@CurrentUser() { agencyId, context }: DashboardSession, @Param('id') id: string) {
    const { keyId } = await this.queries.execute(new GetKey(agencyId, idParam('key', id)));
    const key = await this.commands.execute(new RevokeKey(keyId, context));
    return { id: keyId, revoked_at: key.status === 'unknown' ? null : key.revokedAt };
  }

  private async listed(agencyId: AgencyId, keys: readonly ListedKey[]): Promise<ListedKeyAnswer[]> {
    const [since, calls] = await Promise.all([this.uses.recordedSince(), this.calls.ofKeys(agencyId)]);
    return keys.map((key) => listedKey(key, since, calls.get(key.id)));
  }
}

const usableFirst = (keys: readonly ListedKey[]): ListedKey[] =>
  keys.toSorted(
    (one, other) =>
      Number(other.status === 'active') - Number(one.status === 'active') || other.createdAt - one.createdAt,
  );

const listedKey = (
  key: ListedKey,
  recordedSince: Instant | undefined,
  calls: CallsOfKey | undefined,
): ListedKeyAnswer => ({
  id: key.id,
  name: key.name,
  last_four: key.lastFour,
  preset: key.scopes.length === PRESETS.read_write.length ? 'read_write' : 'read_only',
  scopes: key.scopes,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  uses_recorded_since: recordedSince ?? null,
  calls_24h: calls?.last24Hours ?? 0,
  calls_7d: calls?.last7Days ?? 0,
  expires_at: key.expiresAt,
  status: key.status,
});
