import type { Instant } from '#kernel';

export interface NativeLeak {
  readonly leakId: string;
  readonly url: string;
  /** The native wording, in any language. */
  readonly status: string;
  readonly statusCode: string;
  readonly actionable: boolean | null;
  readonly deadOnArrival: boolean | null;
  readonly createdAt: Instant;
  /** Moves forward with any change of the record. */
  readonly updatedAt: Instant;
  readonly jobId: string | null;
}
