import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import type { Duration, Instant } from '#kernel';
import { MonthText, UsageQuery } from '../../../api/src/http/usage/usage.query.js';
import { MAX_PAGE_SIZE } from '../../../api/src/http/validation/page.query.js';
import { Cursor, Optional, PageSize } from '../../../api/src/http/validation/rules.js';
import { ProtectionIntervalAnswer } from '../creators/creators.dto.js';
import { ListOf, PageOf } from '../list-answers.js';

export const DEFAULT_USAGE_PAGE_SIZE = 50;

export class StatementBody {
  @MonthText()
  month!: string;
}

export class UsageCreatorsQuery extends UsageQuery {
  @Optional()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_USAGE_PAGE_SIZE)
  limit?: number;

  @Optional()
  @Cursor()
  after?: string;
}

/** A part of the month's time. */
class UsageShare {
  @ApiProperty({ type: Number, description: 'Milliseconds.' })
  readonly active!: Duration;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its part of the subtotal before rounding, in minor units.',
  })
  readonly share_cents!: string | null;
}

export class UsageDay extends UsageShare {
  @ApiProperty({ description: 'A day in UTC, `YYYY-MM-DD`.' })
  readonly date!: string;
  @ApiProperty()
  readonly active_creators!: number;
}

export class UsageTotals {
  @ApiProperty()
  readonly active_creator_count!: number;
  @ApiProperty()
  readonly creator_seconds!: number;
  @ApiProperty()
  readonly creator_months!: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly estimated_subtotal_cents!: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly minimum_monthly_cents!: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly estimated_total_cents!: number | null;
  @ApiProperty()
  readonly currency!: string;
}

/** What a month consists of, and up to which event of the log it was counted. */
export class UsageMonthAnswer {
  @ApiProperty()
  readonly month!: string;
  @ApiProperty()
  readonly measured_through!: string;
  @ApiProperty({ type: Number, nullable: true })
  readonly per_creator_month_cents!: number | null;
  @ApiProperty()
  readonly totals!: UsageTotals;
  @ApiProperty({ type: [UsageDay], description: 'Every day up to `measured_through`.' })
  readonly days!: readonly UsageDay[];
  @ApiProperty({ type: String, nullable: true })
  readonly as_of_event_id!: string | null;
  @ApiProperty({ description: 'Whether later events were not counted yet.' })
  readonly is_behind!: boolean;
  @ApiProperty({
    description:
      'More than 50,000 intervals: the days are left out. The creators, the file and the statement have all of them.',
  })
  readonly is_too_large!: boolean;
  /** Without a binding nothing was ever counted. */
  @ApiProperty()
  readonly is_bound!: boolean;
}

export class UsageOfCreator extends UsageShare {
  @ApiProperty()
  readonly creator_id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Null where the agency can no longer see the creator.' })
  readonly display_name!: string | null;
  @ApiProperty()
  readonly creator_months!: number;
  @ApiProperty()
  readonly intervals!: number;
}

export class UsageOfCreatorsAnswer extends PageOf(UsageOfCreator) {}

export class UsageIntervalAnswer extends IntersectionType(
  UsageShare,
  PickType(ProtectionIntervalAnswer, ['opened_by', 'closed_by']),
) {
  @ApiProperty({ type: Number, description: 'Within the month.' })
  readonly from!: Instant;
  @ApiProperty({ type: Number, description: 'Within the month, and not later than now.' })
  readonly to!: Instant;
}

export class UsageIntervalsAnswer extends ListOf(UsageIntervalAnswer) {}

export class UsageStatementAnswer {
  @ApiProperty()
  readonly month!: string;
  @ApiProperty({ enum: ['pending', 'made', 'failed'] })
  readonly state!: 'pending' | 'made' | 'failed';
  @ApiProperty({ description: 'The part of the log that has been read, from 0 to 1.' })
  readonly share!: number;
  @ApiProperty({ type: Number })
  readonly requested_at!: Instant;
  @ApiProperty({ description: 'Of the file, in bytes; 0 until it is made.' })
  readonly size!: number;
  @ApiProperty({ type: Number, nullable: true, description: 'Until then it can be fetched.' })
  readonly expires_at!: Instant | null;
}

export class UsageStatementsAnswer extends ListOf(UsageStatementAnswer) {}
