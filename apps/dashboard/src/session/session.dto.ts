import { ApiProperty } from '@nestjs/swagger';
import { RIGHTS, type Right, ROLES, type Role } from '#dashboard';
import type { Instant } from '#kernel';

class SessionUser {
  /** As the event log names the person, without `user:`. */
  @ApiProperty()
  readonly id!: string;
  @ApiProperty({ type: String, nullable: true })
  readonly name!: string | null;
}

class SessionAgency {
  @ApiProperty()
  readonly id!: string;
  /** The id where the platform does not say. */
  @ApiProperty()
  readonly name!: string;
}

/** Who is signed in, for which agency, and what they may do there. */
export class SessionAnswer {
  @ApiProperty()
  readonly user!: SessionUser;
  @ApiProperty({ enum: ROLES, enumName: 'Role', nullable: true })
  readonly role!: Role | null;
  @ApiProperty({ enum: RIGHTS, enumName: 'Right', isArray: true })
  readonly rights!: readonly Right[];
  /** Null until one is chosen. */
  @ApiProperty({ type: SessionAgency, nullable: true })
  readonly agency!: SessionAgency | null;
  @ApiProperty({ type: [SessionAgency] })
  readonly agencies!: readonly SessionAgency[];
  @ApiProperty()
  readonly csrf_token!: string;
  /** While it is false, everybody has the rights of a member. */
  @ApiProperty()
  readonly platform_available!: boolean;
  /** Epoch milliseconds; a request moves it. */
  @ApiProperty({ type: Number })
  readonly expires_at!: Instant;
}
