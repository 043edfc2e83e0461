import type { ImpersonationRecord } from './impersonation.events.js';

/** An impersonation as the native platform records it; private notes and contacts are not even read. */
export interface NativeImpersonation extends ImpersonationRecord {
  readonly nativeId: string;
}
