import type { AgencyScope } from '#creators';
import type { CommandContext, CreatorId, ScanId } from '#kernel';

/** Queues a manual scan, named by the idempotency key. */
export class QueueScan {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly idempotencyKey: string,
    readonly context: CommandContext,
  ) {}
}

export class GetScan {
  constructor(
    readonly scanId: ScanId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {}
}
