import type { ActivityType, Leak, LeakStatusCode } from '../contract/types.js';
import { recordActivity } from '../platform/activity.js';
import { addLeak, changeLeak, type LeakChange, showLeak } from '../platform/leaks.js';
import { invalid, notFound } from '../refusal.js';
import type { LeakRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import {
  COUNT,
  type Control,
  controlBody,
  FLAG,
  NULLABLE_FLAG,
  NULLABLE_TEXT,
  NUMBER,
  oneOf,
  TEXT,
} from './control.js';

const WORDING: Readonly<Record<LeakStatusCode, string>> = {
  detected: 'Detected',
  reviewing: 'Under review',
  notice_sent: 'Notice sent',
  removed: 'Removed',
  rejected: 'Rejected by host',
  ignored: 'Ignored',
};

const LEAK = {
  url: TEXT,
  status: TEXT,
  status_code: oneOf(...Object.keys(WORDING)),
  actionable: NULLABLE_FLAG,
  dead_on_arrival: NULLABLE_FLAG,
  job_id: NULLABLE_TEXT,
  created_at: NUMBER,
};

interface AddLeaks extends Partial<Leak> {
  count?: number;
  /** Whether `leak.detected` is recorded: by default for up to 100. */
  activity?: boolean;
}

export const leakControls: readonly Control[] = [
  {
    method: 'POST',
    path: '/creators/:id/leaks',
    members: { count: COUNT, leak_id: TEXT, activity: FLAG, updated_at: NUMBER, ...LEAK },
    run({ world }, call) {
      if (!world.creators.get(call.id)) throw notFound('creator');
      return { leak_ids: addLeaks(world, call.id, controlBody<AddLeaks>(call)) };
    },
  },
  {
    method: 'PUT',
    path: '/creators/:id/bulk-leaks',
    members: { count: COUNT, url_length: COUNT },
    required: ['count'],
    run({ world }, call) {
      if (!world.creators.get(call.id)) throw notFound('creator');
      const { count, url_length = 0 } = controlBody<{ count: number; url_length?: number }>(call);
      return world.bulkLeaks.put({ user_id: call.id, count, url_length, created_at: world.now() });
    },
  },
  {
    method: 'PATCH',
    path: '/leaks/:id',
    members: LEAK,
    run({ world }, call) {
      const change = controlBody<LeakChange>(call);
      const wording = change.status_code && !change.status ? { status: WORDING[change.status_code] } : {};
      return showLeak(changeLeak(world, leakAt(world, call.id), { ...wording, ...change }));
    },
  },
  {
    method: 'DELETE',
    path: '/leaks/:id',
    members: {},
    run: ({ world }, call) => world.leaks.remove(leakAt(world, call.id).leak_id),
  },
  {
    method: 'POST',
    path: '/creators/:id/activity',
    members: {
      count: COUNT,
      leak_id: TEXT,
      type: oneOf('leak.detected', 'leak.status', 'notice.sent', 'leak.removed'),
      occurred_at: NUMBER,
    },
    required: ['leak_id', 'type'],
    run({ world }, call) {
      const { count = 1, leak_id, type, occurred_at = world.now() } = controlBody<AddActivity>(call);
      const leak = leakAt(world, leak_id);
      if (leak.user_id !== call.id) throw notFound('leak');
      const records = Array.from({ length: count }, (_, at) => recordActivity(world, leak, type, occurred_at + at));
      return { ids: records.map((record) => record.id) };
    },
  },
];

interface AddActivity {
  count?: number;
  leak_id: string;
  type: ActivityType;
  occurred_at?: number;
}

export function addLeaks(world: World, userId: string, request: AddLeaks): string[] {
  const { count = 1, activity = count <= 100, ...given } = request;
  if (given.leak_id !== undefined && count !== 1) throw invalid('leak_id is for one leak');
  const status_code = given.status_code ?? 'detected';
  const created_at = given.created_at ?? world.now();
  return Array.from({ length: count }, () => {
    const leak_id = given.leak_id ?? world.newId('leak');
    const leak: LeakRecord = {
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
    };
    return addLeak(world, leak, activity).leak_id;
  });
}

function leakAt(world: World, id: string): LeakRecord {
  const leak = world.leaks.get(id);
  if (!leak) throw notFound('leak');
  return leak;
}
