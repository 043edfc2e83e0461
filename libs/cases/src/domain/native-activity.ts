import type { Instant } from '#kernel';

export interface NativeActivity {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Instant;
  /** Says whether `occurredAt` is when it was recorded, or when the record that shows it was last updated. */
  readonly timestampBasis: string;
  readonly leakId: string | null;
  readonly url: string | null;
  readonly status: string | null;
  readonly statusCode: string | null;
}
