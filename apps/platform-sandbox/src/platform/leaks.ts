import type { Leak } from '../contract/types.js';
import { type Operation, ok } from '../operation.js';
import type { LeakRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { recordActivity } from './activity.js';
import { creatorOf } from './membership.js';
import { afterOf, page } from './page.js';

export const listLeaks: Operation = (world, call) => {
  creatorOf(world, call.agencyId, call.userId);
  const since = call.query.updated_since;
  const leaks = world.leaks.ascending(call.userId, afterOf(call));
  const wanted = since === undefined ? leaks : updatedSince(leaks, Number(since));
  return ok(page(wanted, call, showLeak, (leak) => leak.leak_id));
};

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
  if (changed.status_code !== leak.status_code) {
    if (changed.status_code === 'notice_sent') recordActivity(world, changed, 'notice.sent', changed.updated_at);
    else if (changed.status_code === 'removed') recordActivity(world, changed, 'leak.removed', changed.updated_at);
    else recordActivity(world, changed, 'leak.status', changed.updated_at);
  }
  return changed;
}

function* updatedSince(leaks: Iterable<LeakRecord>, since: number): Generator<LeakRecord> {
  for (const leak of leaks) if (leak.updated_at >= since) yield leak;
}
