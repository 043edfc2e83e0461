import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import type { Instant } from '#kernel';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional, Text } from '../../../api/src/http/validation/rules.js';
import { BytesAnswer, ListedDeliveryAnswer } from '../deliveries/deliveries.dto.js';
import { FoundPageOf } from '../list-answers.js';
import { Time } from '../time.rule.js';

const MAX_ID_LENGTH = 40;

class EventFilters {
  @Optional()
  @OneOf(...PUBLIC_EVENT_TYPES)
  type?: PublicEventType;

  @Optional()
  @Text(MAX_ID_LENGTH)
  creator?: string;

  @Optional()
  @Time()
  from?: string;

  @Optional()
  @Time()
  to?: string;
}

export class EventsQuery extends IntersectionType(EventFilters, PageQuery) {}

class ListedEventAnswer {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty({ enum: PUBLIC_EVENT_TYPES })
  readonly type!: PublicEventType;
  @ApiProperty()
  readonly creator_id!: string;
  @ApiProperty({ type: Number })
  readonly created_at!: Instant;
}

export class EventsAnswer extends FoundPageOf(ListedEventAnswer) {}

class EventCauseAnswer {
  @ApiProperty()
  readonly event_id!: string;
  @ApiProperty()
  readonly type!: string;
  /** What it happened to. */
  @ApiProperty()
  readonly stream!: string;
  @ApiProperty({ type: Number })
  readonly at!: Instant;
  /** Such as `key:key_…`, `user:…` or `process:…`. */
  @ApiProperty()
  readonly actor!: string;
  /** The request from which it followed. */
  @ApiProperty()
  readonly request_id!: string;
}

export class EventAnswer extends IntersectionType(ListedEventAnswer, BytesAnswer) {
  @ApiProperty({ type: Number })
  readonly published_at!: Instant;
  @ApiProperty({ type: EventCauseAnswer, nullable: true })
  readonly cause!: EventCauseAnswer | null;
  /** The first hundred. */
  @ApiProperty({ type: [ListedDeliveryAnswer] })
  readonly deliveries!: readonly ListedDeliveryAnswer[];
}
