import { Query } from '@nestjs/cqrs';
import type { CreatorId, ScanId } from '#kernel';

export interface ScanOfJob {
  readonly scanId: ScanId;
  readonly creatorId: CreatorId;
}

/** Which scan each job of the engine belongs to, by job id; jobs of no scan are left out. The context of scans answers. */
export class FindScansOfJobs extends Query<ReadonlyMap<string, ScanOfJob>> {
  constructor(readonly jobIds: readonly string[]) {
    super();
  }
}
