import { bodyOf, found, noneOrOne, type Operations, ok, Refusal } from '../operation.js';
import type { ScanJobRecord } from '../state/records.js';
import { MOVING, type World } from '../state/world.js';
import { creatorOf } from './creators.js';
import { addLeak } from './leaks.js';

type DispatchBody = Pick<ScanJobRecord, 'reference' | 'agency_id' | 'user_id' | 'handles'>;

export const scanJobOperations: Operations = {
  dispatchScan(world, call) {
    const { reference, agency_id, user_id, handles } = bodyOf<DispatchBody>(call);
    creatorOf(world, call);
    if (handles.length === 0) throw new Refusal(422, 'nothing_to_scan', 'No handles were given.');
    const job = world.jobs.put({
      job_id: world.newId('job'),
      reference,
      status: 'queued',
      error_code: null,
      finished_at: null,
      agency_id,
      user_id,
      handles,
      auto: world.settings.scan_auto,
      created_at: world.now(),
      duration_ms: world.settings.scan_duration_ms,
    });
    world.countEffect('scan_jobs', reference);
    return { status: 202, body: job };
  },

  findScanJob: (world, { query }) => noneOrOne(world.jobs.byAlias(String(query.reference))),
  getScanJob: (world, { recordId }) => ok(found(world.jobs.get(recordId), 'scan job')),
};

/** Advances the jobs that are due. Called before each request, so that all reads agree. */
export function settleJobs(world: World): void {
  const now = world.now();
  for (const job of world.jobs.between(MOVING, 0, now + 1)) {
    if (now >= job.created_at + job.duration_ms) completeJob(world, job);
    else world.jobs.put({ ...job, status: 'running' });
  }
}

export function changeJob(
  world: World,
  job: ScanJobRecord,
  { status, leaks_per_handle, ...change }: Partial<ScanJobRecord> & { leaks_per_handle?: number },
): ScanJobRecord {
  const changed = { ...job, ...change };
  if (status === undefined) return world.jobs.put(changed);
  if (status === 'completed') return completeJob(world, changed, leaks_per_handle);
  const ended = status === 'failed' || status === 'cancelled';
  // Without `auto: false`, a job that a control has set back would continue immediately.
  return world.jobs.put({ ...changed, status, auto: false, finished_at: ended ? world.now() : null });
}

const HOSTS = ['mirror-vault.example', 'pixel-dump.example', 'fanhoard.example', 'galerie-pirate.example'];

/** The leaks are listed first: a completed job has already shown everything that it found. */
export function completeJob(
  world: World,
  job: ScanJobRecord,
  perHandle = world.settings.leaks_per_handle,
): ScanJobRecord {
  const { job_id, user_id, handles } = job;
  for (const { platform, username } of handles) {
    const path = [platform, username].map(encodeURIComponent).join('/');
    for (let number = 1; number <= perHandle; number++) {
      const host = HOSTS[(username.length + number) % HOSTS.length];
      addLeak(world, user_id, { url: `https://${host}/${path}/${job_id.slice(-8)}-${number}`, job_id });
    }
  }
  return world.jobs.put({ ...job, status: 'completed', error_code: null, finished_at: world.now() });
}
