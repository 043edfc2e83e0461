import type { Published } from '#kernel';
import type { NativeActivity } from '../domain/native-activity.js';

export const publicActivity = (record: NativeActivity) => ({
  id: record.id,
  type: record.type,
  occurred_at: record.occurredAt,
  timestamp_basis: record.timestampBasis,
  leak_id: record.leakId,
  url: record.url,
  status: record.status,
  status_code: record.statusCode,
  simulated: false as const,
});

export type PublicActivity = Published<ReturnType<typeof publicActivity>>;
