import { objectOf } from '../contract/schemas.js';
import { completeJob } from '../engine/progress.js';
import { found } from '../refusal.js';
import type { ScanJobRecord } from '../state/records.js';
import { rememberedId, type World } from '../state/world.js';
import { COUNT, control, FLAG, NO_MEMBERS, NULLABLE_TEXT, oneOf } from './control.js';

interface JobChange extends Partial<Pick<ScanJobRecord, 'status' | 'error_code' | 'auto'>> {
  leaks_per_handle?: number;
}

const JOB_CHANGE = objectOf({
  status: oneOf('queued', 'running', 'completed', 'failed', 'cancelled'),
  error_code: NULLABLE_TEXT,
  auto: FLAG,
  leaks_per_handle: COUNT,
});

export const jobControls = [
  control<JobChange>('PATCH', '/scan-jobs/:id', JOB_CHANGE, ({ world }, { id, body }) => {
    const { status, leaks_per_handle, ...change } = body;
    const changed = { ...jobAt(world, id), ...change };
    if (status === undefined) return world.jobs.put(changed);
    if (status === 'completed') return completeJob(world, changed, leaks_per_handle);
    const ended = status === 'failed' || status === 'cancelled';
    // Without this, a job that was set back by hand would continue immediately.
    return world.jobs.put({ ...changed, status, auto: false, finished_at: ended ? world.now() : null });
  }),

  control('DELETE', '/scan-jobs/:id', NO_MEMBERS, ({ world }, { id, query }) => {
    const job = jobAt(world, id);
    world.jobs.remove(job.job_id);
    if (query.forget === 'true') world.remembered.remove(rememberedId('dispatchScan', job.reference));
  }),
];

/** By job id, or by reference. */
const jobAt = (world: World, idOrReference: string): ScanJobRecord =>
  found(world.jobs.get(idOrReference) ?? world.jobs.byAlias(idOrReference), 'scan job');
