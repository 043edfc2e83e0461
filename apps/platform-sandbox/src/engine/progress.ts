import { addLeak } from '../platform/leaks.js';
import { due, nextMoveOfJob } from '../state/moving.js';
import type { Handle, ScanJobRecord } from '../state/records.js';
import type { World } from '../state/world.js';

const HOSTS = ['mirror-vault.example', 'pixel-dump.example', 'fanhoard.example', 'galerie-pirate.example'];

/** Moves the jobs whose time has come. Called before each request, so that every read agrees with every other. */
export function settleJobs(world: World): void {
  const now = world.now();
  for (const job of due(world.jobs, nextMoveOfJob, now)) {
    if (now >= job.created_at + job.duration_ms) completeJob(world, job);
    else world.jobs.put({ ...job, status: 'running' });
  }
}

/** The leaks are listed first: a job that reads as completed has shown all that it found. */
export function completeJob(
  world: World,
  job: ScanJobRecord,
  perHandle = world.settings.leaks_per_handle,
): ScanJobRecord {
  for (const handle of job.handles) {
    for (let number = 1; number <= perHandle; number++) listFinding(world, job, handle, number);
  }
  return world.jobs.put({ ...job, status: 'completed', error_code: null, finished_at: world.now() });
}

function listFinding(world: World, job: ScanJobRecord, { platform, username }: Handle, number: number): void {
  const host = HOSTS[(username.length + number) % HOSTS.length];
  const now = world.now();
  addLeak(world, {
    leak_id: world.newId('leak'),
    user_id: job.user_id,
    url: `https://${host}/${encodeURIComponent(platform)}/${encodeURIComponent(username)}/${job.job_id.slice(-8)}-${number}`,
    status: 'Detected',
    status_code: 'detected',
    actionable: true,
    dead_on_arrival: false,
    created_at: now,
    updated_at: now,
    job_id: job.job_id,
  });
}
