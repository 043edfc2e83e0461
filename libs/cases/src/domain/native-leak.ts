import type { Finding } from './case.events.js';

export interface NativeLeak extends Finding {
  readonly leakId: string;
  readonly jobId: string | null;
}
