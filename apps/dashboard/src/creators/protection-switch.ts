import { ApiProperty } from '@nestjs/swagger';
import type { Instant } from '#kernel';
import type { Switch } from '#usage';

/** The event that began or ended an interval. */
export class ProtectionSwitch {
  @ApiProperty()
  readonly event_id!: string;
  @ApiProperty({ description: "The page of the creator's timeline that begins with the event." })
  readonly timeline_cursor!: string;
  @ApiProperty({ type: Number })
  readonly at!: Instant;
  @ApiProperty({ description: '`key:<id>`, `user:<id>`, `process:<name>` or `operator:<name>`.' })
  readonly actor!: string;
  @ApiProperty()
  readonly request_id!: string;
  @ApiProperty()
  readonly reason!: string;
}

export const shownSwitch = ({ eventId, revision, at, actor, requestId, reason }: Switch): ProtectionSwitch => ({
  event_id: eventId,
  timeline_cursor: String(revision + 1),
  at,
  actor,
  request_id: requestId,
  reason,
});
