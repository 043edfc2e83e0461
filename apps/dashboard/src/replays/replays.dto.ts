import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { Instant } from '#kernel';
import { Text } from '../../../api/src/http/validation/rules.js';
import { DeliveryTabFilters } from '../deliveries/deliveries.dto.js';
import { ListOf } from '../list-answers.js';

const MAX_ID_LENGTH = 40;

/** The filters of the list on a tab, of one endpoint. An inherited field would stay optional. */
export class RequestReplayBody extends OmitType(DeliveryTabFilters, ['endpoint']) {
  @Text(MAX_ID_LENGTH)
  endpoint!: string;
}

export class ReplayAnswer {
  /** That of the endpoint, which has one replay at a time. */
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly endpoint_id!: string;
  @ApiProperty({ enum: ['running', 'ended'] })
  readonly status!: 'running' | 'ended';
  @ApiProperty({ enum: ['completed', 'ended_by_person', 'endpoint_disabled', 'access_revoked'], nullable: true })
  readonly reason!: string | null;
  /** Deliveries that matched when it was requested, up to 10,000. */
  @ApiProperty()
  readonly total!: number;
  @ApiProperty()
  readonly total_is_more!: boolean;
  @ApiProperty()
  readonly replayed!: number;
  @ApiProperty({ type: Number })
  readonly requested_at!: Instant;
  @ApiProperty({ type: Number, nullable: true })
  readonly ended_at!: Instant | null;
}

export class ReplaysAnswer extends ListOf(ReplayAnswer) {}
