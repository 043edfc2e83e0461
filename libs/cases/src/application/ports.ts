import { Query } from '@nestjs/cqrs';
import type { LinkedCreator, Synchronized } from '#creators';
import type { AgencyId, CommandContext, CreatorId, Instant, RecordPage, RefusedRecord, ScanId, UserId } from '#kernel';
import type { NativeLeak } from '../domain/case.js';
import type { NativeActivity } from '../domain/native-activity.js';

export interface ScanOfJob {
  readonly scanId: ScanId;
  readonly creatorId: CreatorId;
}

/** The scan of each job of the engine, by job id; jobs without a scan are left out. Implemented by `scans`. */
export class FindScansOfJobs extends Query<ReadonlyMap<string, ScanOfJob>> {
  constructor(readonly jobIds: readonly string[]) {
    super();
  }
}

/** A port rather than a command, because neither context may import the other; the service's module connects them. */
export abstract class ImpersonationWalk {
  abstract walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronized>;
}

export interface ActivityPage {
  readonly records: readonly NativeActivity[];
  readonly refused: readonly RefusedRecord[];
  /** Opaque. Clients get it only encrypted. */
  readonly nextCursor: string | null;
}

export abstract class ActivityPlatform {
  /** At most 200, newest first. Undefined if the creator is not a member; rejects with a `provider_*` error. */
  abstract listActivity(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly cursor?: string },
  ): Promise<ActivityPage | undefined>;
}

export interface LeakPage extends RecordPage {
  readonly leaks: readonly NativeLeak[];
}

export abstract class LeakPlatform {
  /** At most 200, by leak id. Undefined if the creator is not a member; rejects with a `provider_*` error. */
  abstract listLeaks(
    agencyId: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly after?: string; readonly updatedSince?: Instant },
  ): Promise<LeakPage | undefined>;
}
