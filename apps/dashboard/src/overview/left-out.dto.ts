import { ApiProperty } from '@nestjs/swagger';
import { LEFT_OUT_KINDS, type LeftOutKind } from '#creators';
import type { Instant } from '#kernel';
import { Optional, Text } from '../../../api/src/http/validation/rules.js';
import { ListOf } from '../list-answers.js';

const MAX_ID_LENGTH = 200;

export class LeftOutQuery {
  @Optional()
  @Text(MAX_ID_LENGTH)
  creator?: string;
}

class LeftOutRecordAnswer {
  @ApiProperty({ enum: LEFT_OUT_KINDS })
  readonly kind!: LeftOutKind;
  /** Null for a record of the roster. */
  @ApiProperty({ type: String, nullable: true })
  readonly creator_id!: string | null;
  /** The platform's; null for a record without a usable one. */
  @ApiProperty({ type: String, nullable: true })
  readonly id!: string | null;
  /** Names the field that breaks a bound or the contract. */
  @ApiProperty()
  readonly reason!: string;
  @ApiProperty({ type: Number })
  readonly since!: Instant;
  /** What the platform would have to mend. */
  @ApiProperty()
  readonly remedy!: string;
}

/** Records of the platform that the latest complete reading left out; they count as present. */
export class LeftOutAnswer extends ListOf(LeftOutRecordAnswer) {
  /** How many there are; the first of each list are shown. */
  @ApiProperty()
  readonly count!: number;
}
