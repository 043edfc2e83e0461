import type { AgencyScope } from '#creators';
import type { CaseId, CommandContext, DeindexRequestId } from '#kernel';

/** Asks for a finding to be deindexed; named by the idempotency key. */
export class RequestDeindex {
  constructor(
    readonly caseId: CaseId,
    readonly scope: AgencyScope,
    readonly idempotencyKey: string,
    readonly context: CommandContext,
  ) {}
}

export class GetDeindexRequest {
  constructor(
    readonly requestId: DeindexRequestId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {}
}
