import type { AgencyId, Effect, Instant, ScanId, UserId } from '#kernel';

/** An account to search for, with up to two alternative spellings. */
export interface ScanHandle {
  readonly platform: string;
  readonly username: string;
  readonly variants: readonly string[];
}

export interface ScanOrder {
  /** Also the key of the call. */
  readonly reference: ScanId;
  readonly agencyId: AgencyId;
  readonly userId: UserId;
  readonly handles: readonly ScanHandle[];
}

export interface ScanJob {
  readonly jobId: string;
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly errorCode: string | null;
  readonly finishedAt: Instant | null;
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
