import type { ActivityType, Leak, LeakStatusCode } from '../contract/types.js';
import { afterOf, invalid, type Operations, page } from '../operation.js';
import { timeKey } from '../state/collection.js';
import type { ActivityRecord, LeakRecord } from '../state/records.js';
import { byUpdate, type World } from '../state/world.js';
import { creatorOf } from './creators.js';

export const leakOperations: Operations = {
  listLeaks(world, call) {
    const { user_id } = creatorOf(world, call);
    const { updated_since } = call.query;
    const after = afterOf(call);
    const leaks =
      updated_since === undefined
        ? world.leaks.ascending(user_id, after)
        : updatedLeaks(world, user_id, Number(updated_since), after);
    return page(leaks, call, (leak) => leak.leak_id);
  },

  listActivity(world, call) {
    const { user_id } = creatorOf(world, call);
    const { cursor } = call.query;
    const before = cursor === undefined ? undefined : opened(String(cursor), user_id);
    const records = world.activity.descending(user_id, before);
    return page(records, call, (record) => sealed(timeKey(record.occurred_at, record.id), user_id));
  },
};

/** If more leaks than this were updated, they are found in the list of all leaks, which is sorted by id. */
const MANY = 1_000;

function* updatedLeaks(world: World, userId: string, since: number, after = ''): Generator<LeakRecord> {
  const updated = world.leaks.between(byUpdate(userId), since, Number.MAX_SAFE_INTEGER);
  if (updated.length <= MANY) {
    const rest = updated.filter(({ leak_id }) => leak_id > after);
    yield* rest.sort((one, other) => (one.leak_id < other.leak_id ? -1 : 1));
    return;
  }
  for (const leak of world.leaks.ascending(userId, after)) if (leak.updated_at >= since) yield leak;
}

/** Opaque, and valid only for the creator that it was issued for. */
function sealed(position: string, userId: string): string {
  return Buffer.from(`${userId} ${position}`).toString('base64url');
}

function opened(cursor: string, userId: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(`${userId} `)) throw invalid('query: cursor');
  return text.slice(userId.length + 1);
}

const WORDING: Readonly<Record<LeakStatusCode, string>> = {
  detected: 'Detected',
  reviewing: 'Under review',
  notice_sent: 'Notice sent',
  removed: 'Removed',
  rejected: 'Rejected by host',
  ignored: 'Ignored',
};

/** `activity: false` keeps bulk data from doubling. */
export function addLeak(world: World, userId: string, given: Partial<Leak>, activity = true): LeakRecord {
  const { leak_id = world.newId('leak'), created_at = world.now(), status_code = 'detected' } = given;
  const leak = world.leaks.put({
    leak_id,
    user_id: userId,
    url: `https://mirror-vault.example/${leak_id}`,
    status: WORDING[status_code],
    status_code,
    actionable: true,
    dead_on_arrival: false,
    created_at,
    updated_at: created_at,
    job_id: null,
    ...given,
  });
  if (activity) recordActivity(world, leak, 'leak.detected', leak.created_at);
  return leak;
}

export function changeLeak(world: World, leak: LeakRecord, change: Partial<Leak>): LeakRecord {
  const status = change.status_code ? WORDING[change.status_code] : leak.status;
  const changed = world.leaks.put({ ...leak, status, ...change, updated_at: world.after(leak.updated_at) });
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

export function recordActivity(
  world: World,
  { user_id, leak_id, url, status, status_code }: LeakRecord,
  type: ActivityType,
  occurred_at: number,
): ActivityRecord {
  const timestamp_basis = type === 'leak.status' ? 'record_updated' : 'recorded';
  const id = world.newId('act');
  return world.activity.put({ id, user_id, type, occurred_at, timestamp_basis, leak_id, url, status, status_code });
}
