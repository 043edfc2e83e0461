import type { ActivityType, Leak, LeakStatusCode } from '../contract/types.js';
import { type Operation, ok } from '../operation.js';
import type { LeakRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { recordActivity } from './activity.js';
import { bulkLeaks, findBulkLeak } from './bulk-leaks.js';
import { creatorOf } from './membership.js';
import { afterOf, page } from './page.js';

export const listLeaks: Operation = (world, call) => {
  creatorOf(world, call.agencyId, call.userId);
  const since = Number(call.query.updated_since ?? 0);
  return ok(page(leaksOf(world, call.userId, afterOf(call), since), call, showLeak, (leak) => leak.leak_id));
};

function* leaksOf(world: World, userId: string, after: string | undefined, since: number): Generator<LeakRecord> {
  yield* bulkLeaks(world, userId, after, since);
  for (const leak of world.leaks.ascending(userId, after)) if (leak.updated_at >= since) yield leak;
}

export function findLeak(world: World, leakId: string): LeakRecord | undefined {
  return world.leaks.get(leakId) ?? findBulkLeak(world, leakId);
}

export function showLeak(leak: LeakRecord): Leak {
  const { user_id: _user, ...shown } = leak;
  return shown;
}

/** `activity: false` keeps bulk data from doubling. */
export function addLeak(world: World, leak: LeakRecord, activity = true): LeakRecord {
  if (activity) recordActivity(world, leak, 'leak.detected', leak.created_at);
  return world.leaks.put(leak);
}

export type LeakChange = Partial<Omit<Leak, 'leak_id' | 'updated_at'>>;

export function changeLeak(world: World, leak: LeakRecord, change: LeakChange): LeakRecord {
  const changed = world.leaks.put({ ...leak, ...change, updated_at: world.after(leak.updated_at) });
  if (changed.status_code !== leak.status_code) recordStatus(world, changed);
  return changed;
}

const TYPE_OF_STATUS: Partial<Record<LeakStatusCode, ActivityType>> = {
  notice_sent: 'notice.sent',
  removed: 'leak.removed',
};

export function recordStatus(world: World, leak: LeakRecord): void {
  recordActivity(world, leak, TYPE_OF_STATUS[leak.status_code] ?? 'leak.status', leak.updated_at);
}
