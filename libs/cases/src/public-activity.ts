import type { NativeActivity } from './ports.js';

/** A record of activity as agencies are told of it (D53): nothing is kept of it here, and nothing is added. */
export const publicActivity = (record: NativeActivity) => ({
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
