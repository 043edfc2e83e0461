import type { Activity, ActivityType } from '../contract/types.js';
import { type Operation, ok } from '../operation.js';
import { invalid } from '../refusal.js';
import type { ActivityRecord, LeakRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { creatorOf } from './membership.js';
import { page } from './page.js';

export const listActivity: Operation = (world, call) => {
  creatorOf(world, call.agencyId, call.userId);
  const before = call.query.cursor === undefined ? undefined : opened(String(call.query.cursor), call.userId);
  const records = world.activity.descending(call.userId, before);
  return ok(page(records, call, showActivity, (record) => sealed(world.activity.sortKeyOf(record), call.userId)));
};

export function recordActivity(world: World, leak: LeakRecord, type: ActivityType, occurredAt: number): ActivityRecord {
  return world.activity.put({
    id: world.newId('act'),
    user_id: leak.user_id,
    type,
    occurred_at: occurredAt,
    timestamp_basis: type === 'leak.status' ? 'record_updated' : 'recorded',
    leak_id: leak.leak_id,
    url: leak.url,
    status: leak.status,
    status_code: leak.status_code,
  });
}

function showActivity({ user_id: _user, ...shown }: ActivityRecord): Activity {
  return shown;
}

/** Opaque, and good for the creator it was given for only. */
function sealed(position: string, userId: string): string {
  return Buffer.from(`${userId} ${position}`).toString('base64url');
}

function opened(cursor: string, userId: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(`${userId} `)) throw invalid('query: cursor');
  return text.slice(userId.length + 1);
}
