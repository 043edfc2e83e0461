import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import type { Instant } from '#kernel';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { TimelineEvent } from '../creators/creators.dto.js';
import { BytesAnswer, DeliveryFilters, ListedDeliveryAnswer } from '../deliveries/deliveries.dto.js';
import { FoundPageOf } from '../list-answers.js';

const FILTERS = ['type', 'creator', 'from', 'to'] as const;

export class EventsQuery extends IntersectionType(PickType(DeliveryFilters, FILTERS), PageQuery) {}

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

class EventCauseAnswer extends PickType(TimelineEvent, ['type', 'at', 'actor', 'request_id']) {
  @ApiProperty()
  readonly event_id!: string;
  /** What it happened to. */
  @ApiProperty()
  readonly stream!: string;
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
