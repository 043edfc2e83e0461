import { type AgencyId, type CreatorId, type Instant, renamedTypes, type ScanId, type WorkspaceId } from '#kernel';
import type { ScanSource } from './scan-allowance.js';

export interface ScanHandle {
  readonly platform: string;
  readonly username: string;
  readonly variants: readonly string[];
}

export interface ScanJob {
  readonly jobId: string;
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly errorCode: string | null;
  readonly finishedAt: Instant | null;
}

interface About {
  readonly scanId: ScanId;
  readonly creatorId: CreatorId;
}

export interface ScanOutcome {
  readonly jobId: string | null;
  readonly finishedAt: Instant;
  readonly errorCode: string | null;
}

type Fact<Type extends string, Data extends object> = { readonly type: `scan.${Type}.v1`; readonly data: Data };

export type ScanEvent =
  | Fact<'queued', About & { agencyId: AgencyId; workspaceId: WorkspaceId; source: ScanSource }>
  | Fact<'dispatchStarted', About & { personal: { handles: readonly ScanHandle[] } }>
  | Fact<'accepted', About & { jobId: string }>
  | Fact<'started', About & { jobId: string }>
  | Fact<'outcomeLost', About>
  | Fact<'jobNotFound', About>
  | Fact<'completed', About & ScanOutcome>
  | Fact<'failed', About & ScanOutcome>
  | Fact<'cancelled', About & ScanOutcome>;

/** Logs of builds up to 0.8 have the types on the left. */
export const scanUpcasters = renamedTypes<ScanEvent['type']>({
  'scan.dispatching.v1': 'scan.dispatchStarted.v1',
  'scan.uncertain.v1': 'scan.outcomeLost.v1',
  'scan.notFound.v1': 'scan.jobNotFound.v1',
});
