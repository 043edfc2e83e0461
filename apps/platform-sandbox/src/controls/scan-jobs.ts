import type { ScanJobStatus } from '../contract/types.js';
import { completeJob } from '../engine/progress.js';
import { notFound } from '../refusal.js';
import type { ScanJobRecord } from '../state/records.js';
import { rememberedId, type World } from '../state/world.js';
import { COUNT, type Control, controlBody, FLAG, NULLABLE_TEXT, oneOf } from './control.js';

interface JobChange {
  status?: ScanJobStatus;
  error_code?: string | null;
  auto?: boolean;
  leaks_per_handle?: number;
}

export const jobControls: readonly Control[] = [
  {
    method: 'PATCH',
    path: '/scan-jobs/:id',
    members: {
      status: oneOf('queued', 'running', 'completed', 'failed', 'cancelled'),
      error_code: NULLABLE_TEXT,
      auto: FLAG,
      leaks_per_handle: COUNT,
    },
    run({ world }, call) {
      const job = jobAt(world, call.id);
      const { status, error_code = job.error_code, auto = job.auto, leaks_per_handle } = controlBody<JobChange>(call);
      const changed = { ...job, auto, error_code };
      if (status === undefined) return world.jobs.put(changed);
      if (status === 'completed') return completeJob(world, changed, leaks_per_handle);
      const ended = status === 'failed' || status === 'cancelled';
      // Without this, a job that was set back by hand would continue immediately.
      return world.jobs.put({ ...changed, status, auto: false, finished_at: ended ? world.now() : null });
    },
  },
  {
    method: 'DELETE',
    path: '/scan-jobs/:id',
    members: {},
    run({ world }, call) {
      const job = jobAt(world, call.id);
      world.jobs.remove(job.job_id);
      if (call.query.forget === 'true') world.remembered.remove(rememberedId('dispatchScan', job.reference));
    },
  },
];

/** By job id, or by reference. */
function jobAt(world: World, idOrReference: string): ScanJobRecord {
  const job = world.jobs.get(idOrReference) ?? world.jobs.byAlias(idOrReference);
  if (!job) throw notFound('scan job');
  return job;
}
