import { ApiProperty, PickType } from '@nestjs/swagger';
import { ENROLLMENT_STATUSES, PROTECTION_STATUSES } from '#creators';
import type { Instant } from '#kernel';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional } from '../../../api/src/http/validation/rules.js';
import { ListOf, PageOf } from '../list-answers.js';

export class CreatorsQuery extends PageQuery {
  @Optional()
  @OneOf(...ENROLLMENT_STATUSES)
  enrollment_status?: (typeof ENROLLMENT_STATUSES)[number];

  @Optional()
  @OneOf(...PROTECTION_STATUSES)
  protection_status?: (typeof PROTECTION_STATUSES)[number];
}

export class DashboardCreator {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly external_id!: string;
  @ApiProperty()
  readonly display_name!: string;
  @ApiProperty()
  readonly enrollment_status!: string;
  @ApiProperty()
  readonly protection_status!: string;
  @ApiProperty()
  readonly eligible!: boolean;
  @ApiProperty({ type: String, nullable: true })
  readonly svc_user_id!: string | null;
  @ApiProperty({ type: Number })
  readonly created_at!: Instant;
}

export class DashboardCreatorsAnswer extends PageOf(DashboardCreator) {}

class CasesOfStatus {
  @ApiProperty()
  readonly status_code!: string;
  @ApiProperty()
  readonly count!: number;
}

class CreatorAuthorization {
  @ApiProperty()
  readonly approved!: boolean;
  @ApiProperty({ required: false })
  readonly status?: string;
  @ApiProperty({ type: String, nullable: true, required: false })
  readonly expires_at?: string | null;
}

/** One creator, as the platform shows it now. */
export class DashboardCreatorAnswer extends DashboardCreator {
  @ApiProperty({ type: [String] })
  readonly aliases!: readonly string[];
  @ApiProperty({ type: [String] })
  readonly profile_urls!: readonly string[];
  @ApiProperty()
  readonly identity_sync_pending!: boolean;
  @ApiProperty({ type: CreatorAuthorization })
  readonly authorization!: CreatorAuthorization;
  @ApiProperty()
  readonly entitlement_active!: boolean;
  @ApiProperty({ type: [CasesOfStatus] })
  readonly cases!: readonly CasesOfStatus[];
  @ApiProperty({ description: 'Whether there are more than the 2,000 cases that were counted.' })
  readonly has_more_cases!: boolean;
}

/** What was recorded. */
export class TimelineEvent {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly type!: string;
  @ApiProperty({ type: Number })
  readonly at!: Instant;
  @ApiProperty({ description: '`key:<id>`, `user:<id>`, `process:<name>` or `operator:<name>`.' })
  readonly actor!: string;
  /** The request from which it followed. */
  @ApiProperty()
  readonly request_id!: string;
}

/** The event that began or ended an interval. */
export class ProtectionSwitch extends PickType(TimelineEvent, ['at', 'actor', 'request_id']) {
  @ApiProperty()
  readonly event_id!: string;
  @ApiProperty({ description: "The page of the creator's timeline that begins with the event." })
  readonly timeline_cursor!: string;
  @ApiProperty()
  readonly reason!: string;
}

export class TimelineAnswer extends PageOf(TimelineEvent) {}

export class ProtectionIntervalAnswer {
  @ApiProperty({ type: Number })
  readonly from!: Instant;
  @ApiProperty({ type: Number, nullable: true, description: 'Null while it lasts.' })
  readonly to!: Instant | null;
  @ApiProperty({ type: ProtectionSwitch })
  readonly opened_by!: ProtectionSwitch;
  @ApiProperty({ type: ProtectionSwitch, nullable: true })
  readonly closed_by!: ProtectionSwitch | null;
}

/** The latest 100, newest first. */
export class ProtectionIntervalsAnswer extends ListOf(ProtectionIntervalAnswer) {}

export class DashboardScan {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly status!: string;
  @ApiProperty()
  readonly source!: string;
  @ApiProperty({ type: Number })
  readonly created_at!: Instant;
  @ApiProperty({ type: Number, nullable: true })
  readonly finished_at!: Instant | null;
  @ApiProperty({ type: String, nullable: true })
  readonly error_code!: string | null;
}

export class DashboardScansAnswer extends PageOf(DashboardScan) {}

export class DashboardDeindexRequest {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly case_id!: string;
  @ApiProperty()
  readonly status!: string;
  @ApiProperty()
  readonly submitted_to_provider!: boolean;
  @ApiProperty()
  readonly removal_verified!: boolean;
  @ApiProperty({ type: Number })
  readonly created_at!: Instant;
  @ApiProperty({ type: Number })
  readonly updated_at!: Instant;
  @ApiProperty({ type: String, nullable: true })
  readonly error_code!: string | null;
}

export class DashboardDeindexRequestsAnswer extends PageOf(DashboardDeindexRequest) {}
