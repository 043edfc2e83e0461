import { ApiProperty, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { KEY_LIFETIMES, type KeyLifetime, MAX_KEY_NAME_LENGTH, PRESETS, type Preset } from '#agencies';
import type { Instant } from '#kernel';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional, Text } from '../../../api/src/http/validation/rules.js';
import { CodeSamplesAnswer } from '../code-samples.js';
import { ListOf, PageOf } from '../list-answers.js';

const PRESET_NAMES = Object.keys(PRESETS);
const STATUSES = ['active', 'expired', 'revoked', 'earlier_binding'] as const;

const MAX_ID_LENGTH = 40;

export class KeysQuery extends PageQuery {
  /** One of them only. */
  @Optional()
  @Text(MAX_ID_LENGTH)
  key?: string;
}

export class CreateKeyBody {
  /** Empty as good as none. */
  @Transform(({ value }) => (value === '' ? undefined : value), { toClassOnly: true })
  @Optional()
  @Text(MAX_KEY_NAME_LENGTH)
  name?: string;

  @OneOf(...PRESET_NAMES)
  preset!: Preset;

  @OneOf(...Object.keys(KEY_LIFETIMES))
  lifetime!: KeyLifetime;
}

class ListedKeyAnswer {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty({ type: String, nullable: true })
  readonly name!: string | null;
  @ApiProperty({ enum: PRESET_NAMES })
  readonly preset!: Preset;
  @ApiProperty({ type: [String] })
  readonly scopes!: readonly string[];
  @ApiProperty({ type: Number })
  readonly created_at!: Instant;
  /** Exact to the minute. */
  @ApiProperty({ type: Number, nullable: true })
  readonly last_used_at!: Instant | null;
  /** A key that is older may have been used before this time without a note. */
  @ApiProperty({ type: Number, nullable: true })
  readonly uses_recorded_since!: Instant | null;
  @ApiProperty()
  readonly calls_24h!: number;
  @ApiProperty()
  readonly calls_7d!: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly expires_at!: Instant | null;
  @ApiProperty({ enum: STATUSES })
  readonly status!: (typeof STATUSES)[number];
}

/** The only answer with the secret. */
export class CreatedKeyAnswer extends PickType(ListedKeyAnswer, ['id', 'scopes', 'expires_at']) {
  @ApiProperty()
  readonly secret!: string;
  @ApiProperty()
  readonly samples!: CodeSamplesAnswer;
}

export class KeysAnswer extends PageOf(ListedKeyAnswer) {}

class RouteCallsAnswer {
  /** Such as `GET /v1/creators/{id}`. */
  @ApiProperty()
  readonly route!: string;
  @ApiProperty()
  readonly calls!: number;
}

export class KeyCallsAnswer extends ListOf(RouteCallsAnswer) {}

export class RevokedKeyAnswer {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty({ type: Number, nullable: true })
  readonly revoked_at!: Instant | null;
}
