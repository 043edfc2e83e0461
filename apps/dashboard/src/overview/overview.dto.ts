import { ApiProperty, PickType } from '@nestjs/swagger';
import { KYC_STATUSES } from '#agencies';
import type { Instant } from '#kernel';
import { CodeSamplesAnswer } from '../code-samples.js';
import { UsageTotals } from '../usage/usage.dto.js';

const BINDING_STATES = ['unbound', 'bound', 'owner_changed'] as const;
const STEPS = ['verified', 'bound', 'key_issued', 'first_call', 'endpoint_registered', 'first_delivery'] as const;
const WARNING_KINDS = ['platform_unavailable', 'key_ends', 'endpoint_fails', 'records_left_out'] as const;

class AgencyAnswer {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty()
  readonly onboarding_complete!: boolean;
  @ApiProperty({ enum: KYC_STATUSES })
  readonly kyc_status!: (typeof KYC_STATUSES)[number];
  @ApiProperty()
  readonly owner_user_id!: string;
}

class RevokesAnswer {
  @ApiProperty()
  readonly keys!: number;
  @ApiProperty()
  readonly endpoints!: number;
}

class BindingStateAnswer {
  @ApiProperty({ enum: BINDING_STATES })
  readonly state!: (typeof BINDING_STATES)[number];
  @ApiProperty({ type: Number, nullable: true })
  readonly epoch!: number | null;
  /** The first binding, which made the workspace. */
  @ApiProperty({ type: Number, nullable: true })
  readonly bound_at!: Instant | null;
  /** What a binding to another owner ends. */
  @ApiProperty()
  readonly revokes!: RevokesAnswer;
}

export class StepAnswer {
  @ApiProperty({ enum: STEPS })
  readonly step!: (typeof STEPS)[number];
  @ApiProperty()
  readonly done!: boolean;
  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Null while it is open, and always for `verified` and `first_call`: nobody records these times. That of `first_delivery` is of the earliest event that was delivered, and moves with its replay.',
  })
  readonly at!: Instant | null;
}

class CapacityAnswer {
  @ApiProperty()
  readonly plan!: string;
  @ApiProperty()
  readonly total_slots!: number;
  @ApiProperty()
  readonly occupied_slots!: number;
  @ApiProperty()
  readonly reserved_slots!: number;
  @ApiProperty()
  readonly available_slots!: number;
  @ApiProperty()
  readonly overflow_slots!: number;
}

class UsageAnswer extends PickType(UsageTotals, [
  'active_creator_count',
  'creator_months',
  'estimated_total_cents',
  'currency',
]) {
  @ApiProperty()
  readonly month!: string;
}

class DayAnswer {
  /** `YYYY-MM-DD` in UTC. */
  @ApiProperty()
  readonly day!: string;
  @ApiProperty()
  readonly count!: number;
}

export class WarningAnswer {
  @ApiProperty({ enum: WARNING_KINDS })
  readonly kind!: (typeof WARNING_KINDS)[number];
  @ApiProperty()
  readonly message!: string;
  /** The key or the endpoint. */
  @ApiProperty({ type: String, nullable: true })
  readonly id!: string | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly at!: Instant | null;
}

/** How far an agency's connection to the API is, and what happens on it. */
export class OverviewAnswer {
  /** Null if the platform does not know the agency, or does not answer. */
  @ApiProperty({ type: AgencyAnswer, nullable: true })
  readonly agency!: AgencyAnswer | null;
  @ApiProperty()
  readonly binding!: BindingStateAnswer;
  @ApiProperty({ type: [StepAnswer] })
  readonly checklist!: readonly StepAnswer[];
  @ApiProperty()
  readonly samples!: CodeSamplesAnswer;
  @ApiProperty()
  readonly api_url!: string;
  @ApiProperty({ type: CapacityAnswer, nullable: true })
  readonly capacity!: CapacityAnswer | null;
  @ApiProperty({ type: UsageAnswer, nullable: true })
  readonly usage!: UsageAnswer | null;
  @ApiProperty({ type: [DayAnswer] })
  readonly events_by_day!: readonly DayAnswer[];
  @ApiProperty({ type: [WarningAnswer] })
  readonly warnings!: readonly WarningAnswer[];
}
