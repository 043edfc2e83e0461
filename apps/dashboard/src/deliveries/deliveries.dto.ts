import { ApiProperty, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import type { Instant } from '#kernel';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#webhooks';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional, Text } from '../../../api/src/http/validation/rules.js';
import { FoundPageOf } from '../list-answers.js';
import { Time } from '../time.rule.js';

const MAX_ID_LENGTH = 40;
const MAX_ANSWER_LENGTH = 40;

/** Why the bytes of an event may not be seen. */
const WITHHELD = ['erased', 'ended', 'missing', 'unreadable'] as const;

/** The filters of the list. */
export class DeliveryFilters {
  @Optional()
  @Text(MAX_ID_LENGTH)
  endpoint?: string;

  @Optional()
  @OneOf(...PUBLIC_EVENT_TYPES)
  type?: PublicEventType;

  @Optional()
  @OneOf(...DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** The status of the last answer, or the class of the error. */
  @Optional()
  @Text(MAX_ANSWER_LENGTH)
  answer?: string;

  @Optional()
  @Text(MAX_ID_LENGTH)
  creator?: string;

  @Optional()
  @Text(MAX_ID_LENGTH)
  event?: string;

  @Optional()
  @Time()
  from?: string;

  @Optional()
  @Time()
  to?: string;
}

/** The filters on one of the tabs. */
export class DeliveryTabFilters extends DeliveryFilters {
  @Optional()
  @OneOf('all', 'undelivered')
  tab?: 'all' | 'undelivered';
}

export class DeliveriesQuery extends IntersectionType(DeliveryTabFilters, PageQuery) {}

export class ListedDeliveryAnswer {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly endpoint_id!: string;
  @ApiProperty()
  readonly event_id!: string;
  @ApiProperty({ enum: PUBLIC_EVENT_TYPES })
  readonly event_type!: PublicEventType;
  @ApiProperty()
  readonly creator_id!: string;
  @ApiProperty({ enum: DELIVERY_STATUSES })
  readonly status!: DeliveryStatus;
  @ApiProperty()
  readonly attempts!: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly last_status!: number | null;
  @ApiProperty({ type: String, nullable: true })
  readonly last_error!: string | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly next_attempt_at!: Instant | null;
  /** The time of the event. */
  @ApiProperty({ type: Number })
  readonly created_at!: Instant;
}

class DisabledSpanAnswer {
  @ApiProperty()
  readonly endpoint_id!: string;
  @ApiProperty({ type: Number })
  readonly from!: Instant;
  /** Null while it lasts. */
  @ApiProperty({ type: Number, nullable: true })
  readonly to!: Instant | null;
  /** Events of the endpoint's types that were published in this time. */
  @ApiProperty()
  readonly count!: number;
}

export class DeliveriesAnswer extends FoundPageOf(ListedDeliveryAnswer) {
  /** Only with `tab=undelivered`. */
  @ApiProperty({ type: [DisabledSpanAnswer], required: false })
  readonly disabled_spans?: readonly DisabledSpanAnswer[];
}

class AttemptAnswer {
  /** When its outcome was recorded, for attempts of earlier versions. */
  @ApiProperty({ type: Number })
  readonly sent_at!: Instant;
  @ApiProperty({ type: Number, nullable: true })
  readonly ms!: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly status!: number | null;
  @ApiProperty({ type: String, nullable: true })
  readonly error!: string | null;
}

export class BytesAnswer {
  /** Empty where they may not be seen; `withheld` says why. */
  @ApiProperty()
  readonly bytes!: string;
  @ApiProperty({ enum: WITHHELD, nullable: true })
  readonly withheld!: (typeof WITHHELD)[number] | null;
}

export class DeliveryAnswer extends IntersectionType(OmitType(ListedDeliveryAnswer, ['attempts']), BytesAnswer) {
  /** Of the latest attempt; empty where they are not known. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  readonly headers!: Readonly<Record<string, string>>;
  @ApiProperty({ type: [AttemptAnswer] })
  readonly attempts!: readonly AttemptAnswer[];
}

export class DeliveryCountAnswer {
  /** Counting stops at 10,000. */
  @ApiProperty()
  readonly count!: number;
  @ApiProperty()
  readonly is_more!: boolean;
}

export class ReplayedDeliveryAnswer extends PickType(ListedDeliveryAnswer, ['id', 'status']) {}
