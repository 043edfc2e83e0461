import type { AgencyId, Effect, ScanId, UserId } from '#kernel';
import type { ScanHandle, ScanJob } from '../domain/scan-job.js';

export interface ScanOrder {
  /** Also the key of the call. */
  readonly reference: ScanId;
  readonly agencyId: AgencyId;
  readonly userId: UserId;
  readonly handles: readonly ScanHandle[];
}

/** The scan engine. Lookups resolve to undefined if there is no such job, and reject with a `provider_*` error. */
export abstract class ScanEngine {
  /** False if no engine is configured: then no method may be called. */
  abstract readonly configured: boolean;
  /** Only a 422 is a refusal; any other answer without a job is unknown (D47). */
  abstract dispatch(order: ScanOrder): Promise<Effect<ScanJob>>;
  abstract findJob(reference: ScanId): Promise<ScanJob | undefined>;
  abstract getJob(jobId: string): Promise<ScanJob | undefined>;
}
