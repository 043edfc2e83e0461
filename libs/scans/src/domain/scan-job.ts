import type { Instant } from '#kernel';

/** An account to search for, with up to two alternative spellings. */
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
