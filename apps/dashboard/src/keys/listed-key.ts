import { type ListedKey, PRESETS } from '#agencies';
import type { CallsOfKey } from '#dashboard';
import type { Instant } from '#kernel';

/** Keys that work come before those that do not, and new ones before old ones. */
export const usableFirst = (keys: readonly ListedKey[]): ListedKey[] =>
  keys.toSorted(
    (one, other) =>
      Number(other.status === 'active') - Number(one.status === 'active') || other.createdAt - one.createdAt,
  );

export const listedKey = (key: ListedKey, recordedSince: Instant | undefined, calls: CallsOfKey | undefined) => ({
  id: key.id,
  name: key.name,
  preset: key.scopes.length === PRESETS.read_write.length ? ('read_write' as const) : ('read_only' as const),
  scopes: key.scopes,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  uses_recorded_since: recordedSince ?? null,
  calls_24h: calls?.last24Hours ?? 0,
  calls_7d: calls?.last7Days ?? 0,
  expires_at: key.expiresAt,
  status: key.status,
});
