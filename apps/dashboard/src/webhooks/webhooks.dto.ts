import { applyDecorators } from '@nestjs/common';
import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { PUBLIC_EVENT_TYPES } from '#event-feed';
import type { Instant } from '#kernel';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { asText, OneOf, Optional, rule, Text } from '../../../api/src/http/validation/rules.js';
import { CodeSamplesAnswer } from '../code-samples.js';
import { DeliveryFilters } from '../deliveries/deliveries.dto.js';
import { PageOf } from '../list-answers.js';

const MAX_URL_LENGTH = 2_048;
const MAX_ID_LENGTH = 40;
const STATUSES = ['active', 'disabled', 'earlier_binding'] as const;
const VERDICTS = ['valid', 'clock', 'bytes', 'older_secret', 'unknown_secret'] as const;

/** Null for all types, also those that are added later (D104). */
const EventTypes = () =>
  applyDecorators(
    rule({ type: 'array', items: { type: 'string', enum: PUBLIC_EVENT_TYPES } }, (value) => {
      if (value === null) return undefined;
      const isKnown = (one: unknown) => PUBLIC_EVENT_TYPES.some((type) => type === one);
      const isList = Array.isArray(value) && value.length > 0 && value.every(isKnown);
      return isList ? undefined : `must be null, or some of ${PUBLIC_EVENT_TYPES.join(', ')}`;
    }),
    ApiProperty({ nullable: true }),
  );

/** `endpoint`: one of them only. */
export class EndpointsQuery extends IntersectionType(PickType(DeliveryFilters, ['endpoint']), PageQuery) {}

export class RegisterEndpointBody {
  @Text(MAX_URL_LENGTH)
  url!: string;

  @Optional()
  @EventTypes()
  types?: readonly string[] | null;
}

export class ChooseTypesBody {
  @EventTypes()
  types!: readonly string[] | null;
}

const OVERLAPS = ['0', '24h', '7d'] as const;

export class RotateSecretBody {
  @OneOf(...OVERLAPS)
  overlap!: (typeof OVERLAPS)[number];
}

export class SignatureCheckBody {
  @Text(MAX_ID_LENGTH)
  endpoint!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  @IsObject({ message: 'must be an object with the headers' })
  headers!: Readonly<Record<string, string>>;

  /** SHA-256 of the received bytes, hexadecimal. */
  @Sha256()
  sha256!: string;
}

function Sha256() {
  return rule(
    { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
    asText((text) => (/^[0-9a-f]{64}$/i.test(text) ? undefined : 'must be a SHA-256 in hexadecimal')),
  );
}

class ListedEndpointAnswer {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly url!: string;
  @ApiProperty({ enum: PUBLIC_EVENT_TYPES, isArray: true, nullable: true })
  readonly types!: readonly string[] | null;
  @ApiProperty({ enum: STATUSES })
  readonly status!: (typeof STATUSES)[number];
  @ApiProperty({ type: Number })
  readonly created_at!: Instant;
  @ApiProperty({ type: String, nullable: true })
  readonly disabled_reason!: string | null;
  /** Of the attempts of seven days, between 0 and 1. */
  @ApiProperty({ type: Number, nullable: true })
  readonly success_rate!: number | null;
  /** The mean of the same attempts. */
  @ApiProperty({ type: Number, nullable: true })
  readonly latency_ms!: number | null;
  @ApiProperty()
  readonly pending!: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly last_failure_at!: Instant | null;
  /** Unless a delivery succeeds before; null until half of that time is over. */
  @ApiProperty({ type: Number, nullable: true })
  readonly disables_at!: Instant | null;
}

/** The only answer with the secret. */
export class RegisteredEndpointAnswer extends PickType(ListedEndpointAnswer, ['id', 'url', 'created_at']) {
  @ApiProperty()
  readonly secret!: string;
  @ApiProperty()
  readonly samples!: CodeSamplesAnswer;
}

export class RotatedSecretAnswer extends PickType(RegisteredEndpointAnswer, ['id', 'secret']) {}

export class EndpointsAnswer extends PageOf(ListedEndpointAnswer) {}

export class EndpointStatusAnswer {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty({ enum: ['active', 'disabled'] })
  readonly status!: 'active' | 'disabled';
}

export class EndpointTypesAnswer extends PickType(ListedEndpointAnswer, ['id', 'types']) {}

/** Nothing of the receiver's answer but its status. */
export class TestAnswer {
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  readonly headers!: Readonly<Record<string, string>>;
  @ApiProperty()
  readonly body!: string;
  @ApiProperty({ type: Number, nullable: true })
  readonly status!: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly ms!: number | null;
  /** `pending` if no worker has sent it in time. */
  @ApiProperty({ type: String, nullable: true })
  readonly error!: string | null;
}

export class SignatureCheckAnswer {
  @ApiProperty({ enum: VERDICTS })
  readonly verdict!: (typeof VERDICTS)[number];
  @ApiProperty()
  readonly message!: string;
}
