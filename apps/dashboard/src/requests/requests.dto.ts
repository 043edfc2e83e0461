import { ApiProperty, PickType } from '@nestjs/swagger';
import type { Instant } from '#kernel';
import { PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional, Text } from '../../../api/src/http/validation/rules.js';
import { PageOf } from '../list-answers.js';

const MAX_FILTER_LENGTH = 200;

/** Each narrows the list. */
export class RequestsQuery extends PageQuery {
  @Optional()
  @Text(MAX_FILTER_LENGTH)
  code?: string;

  @Optional()
  @Text(MAX_FILTER_LENGTH)
  route?: string;

  @Optional()
  @Text(MAX_FILTER_LENGTH)
  key?: string;

  /** The whole id of one request. */
  @Optional()
  @Text(MAX_FILTER_LENGTH)
  request?: string;
}

class ProblemAnswer {
  @ApiProperty()
  readonly field!: string;
  @ApiProperty()
  readonly rule!: string;
}

class RefusedRequestAnswer {
  @ApiProperty()
  readonly request_id!: string;
  @ApiProperty({ type: Number })
  readonly at!: Instant;
  @ApiProperty()
  readonly key_id!: string;
  @ApiProperty()
  readonly route!: string;
  @ApiProperty()
  readonly status!: number;
  @ApiProperty({ type: String, nullable: true })
  readonly code!: string | null;
  @ApiProperty({ type: [ProblemAnswer] })
  readonly problems!: readonly ProblemAnswer[];
  @ApiProperty()
  readonly remedy!: string;
}

class RefusedGroupAnswer extends PickType(RefusedRequestAnswer, ['code', 'route', 'remedy']) {
  @ApiProperty()
  readonly count!: number;
  @ApiProperty({ type: Number })
  readonly last_at!: Instant;
}

/** The latest refused or failed requests; those of the last second may be missing. */
export class RequestsAnswer extends PageOf(RefusedRequestAnswer) {
  /** Of all that are kept, the most frequent first. */
  @ApiProperty({ type: [RefusedGroupAnswer] })
  readonly groups!: readonly RefusedGroupAnswer[];
  /** At most so many are kept. */
  @ApiProperty()
  readonly kept!: number;
}

export const CALL_STEPS = ['minute', 'hour'] as const;

export class CallsQuery {
  @Optional()
  @OneOf(...CALL_STEPS)
  by?: (typeof CALL_STEPS)[number];

  @Optional()
  @Text(MAX_FILTER_LENGTH)
  key?: string;
}

class CallsAtAnswer {
  @ApiProperty({ type: Number })
  readonly at!: Instant;
  @ApiProperty()
  readonly calls!: number;
}

class CallsOfKeyAnswer {
  @ApiProperty()
  readonly key_id!: string;
  @ApiProperty()
  readonly calls!: number;
}

/** Calls of 24 hours by minute, or of 30 days by hour; times without calls are left out. */
export class CallsAnswer {
  @ApiProperty({ enum: CALL_STEPS })
  readonly by!: (typeof CALL_STEPS)[number];
  @ApiProperty({ type: [CallsAtAnswer] })
  readonly data!: readonly CallsAtAnswer[];
  /** Of the same time, the most frequent key first. */
  @ApiProperty({ type: [CallsOfKeyAnswer] })
  readonly keys!: readonly CallsOfKeyAnswer[];
}
