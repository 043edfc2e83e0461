import type { ActivityType, Impersonation, Leak } from '../contract/types.js';
import { changeSubmission } from '../platform/deindex-submissions.js';
import { addImpersonation } from '../platform/impersonations.js';
import { addLeak, changeLeak, recordActivity, WORDING } from '../platform/leaks.js';
import { completeJob } from '../platform/scan-jobs.js';
import { found, invalid, notFound } from '../refusal.js';
import type { ImpersonationRecord, LeakRecord, ScanJobRecord, SubmissionRecord } from '../state/records.js';
import { rememberedId, type World } from '../state/world.js';
import { COUNT, change, control, deletion, FLAG, membersOf } from './control.js';

const LEAK = membersOf('Leak', 'leak_id', 'updated_at');
const IMPERSONATION = membersOf('Impersonation', 'impersonation_id', 'created_at', 'updated_at');

/** `activity`: whether `leak.detected` is recorded; by default for up to 100. */
type AddLeaks = Partial<Leak> & { count?: number; activity?: boolean };

interface AddActivity {
  count?: number;
  leak_id: string;
  type: ActivityType;
  occurred_at?: number;
}

export const findingControls = [
  control<AddLeaks>(
    'POST',
    '/creators/:id/leaks',
    { ...membersOf('Leak'), count: COUNT, activity: FLAG },
    (world, { id, body }) => {
      const { count = 1, activity = count <= 100, ...given } = body;
      if (given.leak_id !== undefined && count !== 1) throw invalid('leak_id is for one leak');
      const { user_id } = creatorAt(world, id);
      return { leak_ids: times(count, () => addLeak(world, user_id, given, activity).leak_id) };
    },
  ),
  change<LeakRecord>(
    'leaks',
    LEAK,
    (world) => world.leaks,
    (world, leak, body) =>
      changeLeak(world, leak, { ...(body.status_code && { status: WORDING[body.status_code] }), ...body }),
  ),
  deletion('leaks', (world) => world.leaks),

  control<AddActivity>(
    'POST',
    '/creators/:id/activity',
    { ...membersOf('Activity', 'id', 'timestamp_basis', 'url', 'status', 'status_code'), count: COUNT },
    (world, { id, body }) => {
      const { count = 1, leak_id, type, occurred_at = world.now() } = body;
      const leak = found(world.leaks.get(leak_id), 'leak');
      if (leak.user_id !== id) throw notFound('leak');
      return { ids: times(count, (at) => recordActivity(world, leak, type, occurred_at + at).id) };
    },
    ['leak_id', 'type'],
  ),

  control<Partial<Impersonation> & { count?: number }>(
    'POST',
    '/creators/:id/impersonations',
    { ...membersOf('Impersonation', 'updated_at'), count: COUNT },
    (world, { id, body: { count = 1, ...given } }) => {
      const { user_id } = creatorAt(world, id);
      return { impersonation_ids: times(count, () => addImpersonation(world, user_id, given).impersonation_id) };
    },
  ),
  change<ImpersonationRecord>(
    'impersonations',
    IMPERSONATION,
    (world) => world.impersonations,
    (world, known, body) => world.impersonations.put({ ...known, ...body, updated_at: world.after(known.updated_at) }),
  ),
  deletion('impersonations', (world) => world.impersonations),

  change<ScanJobRecord, Partial<ScanJobRecord> & { leaks_per_handle?: number }>(
    'scan-jobs',
    { ...membersOf('ScanJob', 'job_id', 'reference', 'finished_at'), auto: FLAG, leaks_per_handle: COUNT },
    (world) => world.jobs,
    (world, job, { status, leaks_per_handle, ...body }) => {
      const changed = { ...job, ...body };
      if (status === undefined) return world.jobs.put(changed);
      if (status === 'completed') return completeJob(world, changed, leaks_per_handle);
      const ended = status === 'failed' || status === 'cancelled';
      // Without this, a job that was set back by hand would continue immediately.
      return world.jobs.put({ ...changed, status, auto: false, finished_at: ended ? world.now() : null });
    },
  ),
  deletion(
    'scan-jobs',
    (world) => world.jobs,
    ({ reference }) => rememberedId('dispatchScan', reference),
  ),

  change<SubmissionRecord>(
    'deindex-submissions',
    membersOf('DeindexSubmission', 'submission_id', 'reference', 'updated_at'),
    (world) => world.submissions,
    changeSubmission,
  ),
  deletion(
    'deindex-submissions',
    (world) => world.submissions,
    ({ reference }) => rememberedId('submitDeindex', reference),
  ),
];

const creatorAt = (world: World, id: string) => found(world.creators.get(id), 'creator');

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
