import type { Instant } from '#kernel';
import type { NativeActivity } from '../domain/native-activity.js';

export interface PublicActivity {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: Instant;
  readonly timestamp_basis: string;
  readonly leak_id: string | null;
  readonly url: string | null;
  readonly status: string | null;
  readonly status_code: string | null;
  readonly simulated: false;
}

/** A record of activity as agencies see it (D53). It is passed on unchanged, and is not stored. */
export const publicActivity = (record: NativeActivity): PublicActivity => ({
  id: record.id,
  type: record.type,
  occurred_at: record.occurredAt,
  timestamp_basis: record.timestampBasis,
  leak_id: record.leakId,
  url: record.url,
  status: record.status,
  status_code: record.statusCode,
  simulated: false,
});
