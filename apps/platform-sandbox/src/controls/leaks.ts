import { objectOf } from '../contract/schemas.js';
import type { ActivityType, Leak, LeakStatusCode } from '../contract/types.js';
import { recordActivity } from '../platform/activity.js';
import { addLeak, changeLeak, type LeakChange, showLeak } from '../platform/leaks.js';
import { found, invalid, notFound } from '../refusal.js';
import type { LeakRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { COUNT, control, FLAG, NO_MEMBERS, NULLABLE_FLAG, NULLABLE_TEXT, NUMBER, oneOf, TEXT } from './control.js';

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

const NEW_LEAKS = objectOf({ count: COUNT, leak_id: TEXT, activity: FLAG, updated_at: NUMBER, ...LEAK });
const BULK_LEAKS = objectOf({ count: COUNT, url_length: COUNT }, ['count']);
const ACTIVITY = objectOf(
  {
    count: COUNT,
    leak_id: TEXT,
    type: oneOf('leak.detected', 'leak.status', 'notice.sent', 'leak.removed'),
    occurred_at: NUMBER,
  },
  ['leak_id', 'type'],
);

interface AddLeaks extends Partial<Leak> {
  count?: number;
  /** Whether `leak.detected` is recorded: by default for up to 100. */
  activity?: boolean;
}

interface AddBulkLeaks {
  count: number;
  url_length?: number;
}

interface AddActivity {
  count?: number;
  leak_id: string;
  type: ActivityType;
  occurred_at?: number;
}

export const leakControls = [
  control<AddLeaks>('POST', '/creators/:id/leaks', NEW_LEAKS, ({ world }, { id, body }) => {
    const { user_id } = found(world.creators.get(id), 'creator');
    return { leak_ids: addLeaks(world, user_id, body) };
  }),

  control<AddBulkLeaks>('PUT', '/creators/:id/bulk-leaks', BULK_LEAKS, ({ world }, { id, body }) => {
    const { user_id } = found(world.creators.get(id), 'creator');
    return world.bulkLeaks.put({ user_id, url_length: 0, ...body, created_at: world.now() });
  }),

  control<LeakChange>('PATCH', '/leaks/:id', objectOf(LEAK), ({ world }, { id, body }) => {
    const wording = body.status_code && !body.status ? { status: WORDING[body.status_code] } : {};
    return showLeak(changeLeak(world, found(world.leaks.get(id), 'leak'), { ...wording, ...body }));
  }),

  control('DELETE', '/leaks/:id', NO_MEMBERS, ({ world }, { id }) => {
    found(world.leaks.get(id), 'leak');
    world.leaks.remove(id);
  }),

  control<AddActivity>('POST', '/creators/:id/activity', ACTIVITY, ({ world }, { id, body }) => {
    const { count = 1, leak_id, type, occurred_at = world.now() } = body;
    const leak = found(world.leaks.get(leak_id), 'leak');
    if (leak.user_id !== id) throw notFound('leak');
    const records = Array.from({ length: count }, (_, at) => recordActivity(world, leak, type, occurred_at + at));
    return { ids: records.map((record) => record.id) };
  }),
];

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
