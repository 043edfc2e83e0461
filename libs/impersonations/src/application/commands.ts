import type { AgencyScope } from '#creators';
import type { CommandContext, CreatorId } from '#kernel';

/** Reports an account that passes itself off as the creator, once for each idempotency key. */
export class ReportImpersonation {
  constructor(
    readonly creatorId: CreatorId,
    readonly url: string,
    readonly scope: AgencyScope,
    readonly idempotencyKey: string,
    readonly context: CommandContext,
  ) {}
}
