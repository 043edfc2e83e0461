import type { AgencyId, Duration, Effect, ScanId, UserId } from '#kernel';
import type { ScanHandle, ScanJob } from '../domain/scan.events.js';

export interface ScanCall {
  readonly reference: ScanId;
  readonly agencyId: AgencyId;
  readonly userId: UserId;
  readonly handles: readonly ScanHandle[];
}

/** Lookups resolve to undefined if there is no such job, and reject with a `provider_*` error. */
export abstract class ScanEngine {
  /** False if no engine is configured: then no method may be called. */
  abstract readonly configured: boolean;
  /** Only a 422 is a refusal; any other answer without a job is unknown (D47). */
  abstract dispatch(order: ScanCall): Promise<Effect<ScanJob>>;
  abstract findJob(reference: ScanId): Promise<ScanJob | undefined>;
  abstract getJob(jobId: string): Promise<ScanJob | undefined>;
}

export abstract class ScansOptions {
  /** How often an active creator is scanned (D49). */
  abstract readonly scheduleEvery: Duration;
  abstract readonly pollEvery: Duration;
  abstract readonly providerTimeout: Duration;
}
