import { ApiProperty } from '@nestjs/swagger';
import type { UserId } from '#kernel';
import { UserIdText } from '../../../api/src/http/validation/rules.js';

export class BindBody {
  /** The owner that the person has seen. */
  @UserIdText()
  owner_user_id!: UserId;
}

export class BindingAnswer {
  @ApiProperty()
  readonly agency_id!: string;
  @ApiProperty()
  readonly workspace_id!: string;
  @ApiProperty()
  readonly epoch!: number;
  @ApiProperty()
  readonly owner_user_id!: string;
}
