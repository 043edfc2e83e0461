import type { Instant } from '#kernel';

/** An impersonation as the native platform records it; private notes and contacts are not even read. */
export interface NativeImpersonation {
  readonly nativeId: string;
  readonly platform: string;
  readonly url: string;
  readonly username: string | null;
  readonly status: string;
  readonly createdAt: Instant;
  /** Moves forward with any change of the record. */
  readonly updatedAt: Instant;
}
