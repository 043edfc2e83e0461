import type { AgencyId, CreatorId, Instant, ScanId, WorkspaceId } from '#kernel';
import type { ScanHandle } from '../application/ports.js';
import type { ScanSource } from './scan-allowance.js';

interface About {
  readonly scanId: ScanId;
  readonly creatorId: CreatorId;
}

interface Ending extends About {
  readonly jobId: string | null;
  readonly finishedAt: Instant;
  readonly errorCode: string | null;
}

type Fact<Type extends string, Data extends object> = { readonly type: `scan.${Type}.v1`; readonly data: Data };

export type ScanEvent =
  | Fact<'queued', About & { agencyId: AgencyId; workspaceId: WorkspaceId; source: ScanSource }>
  | Fact<'dispatching', About & { personal: { handles: readonly ScanHandle[] } }>
  /** The engine has the job and has not begun it. */
  | Fact<'accepted', About & { jobId: string }>
  | Fact<'started', About & { jobId: string }>
  | Fact<'uncertain', About>
  /** The engine was asked and knew of no job. */
  | Fact<'notFound', About>
  | Fact<'completed', Ending>
  | Fact<'failed', Ending>
  | Fact<'cancelled', Ending>;
