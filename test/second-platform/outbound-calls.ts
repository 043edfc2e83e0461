import type { DeindexSubmission, ScanJob } from '../../apps/platform-sandbox/src/contract/types.js';
import { type Answer, Refusal } from './answer.js';
import type { Call } from './strict-request.js';
import { notFound, type World } from './world.js';

interface ScanBody {
  reference: string;
  agency_id: string;
  user_id: string;
  handles: unknown[];
}

/** A job is accepted as queued; the first read shows it running. Then it ends, automatically or when the test says so. */
export function dispatchScan(world: World, { body }: Call): Answer {
  const { reference, agency_id, user_id, handles } = body as ScanBody;
  world.member(agency_id, user_id);
  if (handles.length === 0) throw new Refusal(422, 'nothing_to_scan');
  const job_id = `job ${world.scattered()}/%2F`;
  const job: ScanJob = { job_id, reference, status: 'queued', error_code: null, finished_at: null };
  world.jobs.set(job_id, { job, user_id });
  return { status: 202, body: job };
}

export function findScanJob(world: World, { query }: Call): Answer {
  const found = [...world.jobs.values()].find(({ job }) => job.reference === query.reference);
  return { status: 200, body: { data: found ? [found.job] : [] } };
}

export function getScanJob(world: World, { path }: Call): Answer {
  const { job } = world.jobs.get(path.job_id ?? '') ?? notFound();
  const answer = { status: 200, body: { ...job } };
  if (job.status === 'running' && world.jobsEnd === 'automatically') {
    Object.assign(job, { status: 'completed', finished_at: world.now() });
  }
  if (job.status === 'queued') job.status = 'running';
  return answer;
}

interface DeindexBody {
  reference: string;
  agency_id: string;
  user_id: string;
  leak_id: string;
  url: string;
}

export function submitDeindex(world: World, { body }: Call): Answer {
  const { reference, agency_id, user_id, leak_id, url } = body as DeindexBody;
  const leak = world.member(agency_id, user_id).leaks.get(leak_id);
  if (leak?.url !== url) throw new Refusal(422, 'not_deindexable');
  const submission: DeindexSubmission = {
    submission_id: `s-${world.scattered()}`,
    reference,
    status: 'queued',
    submitted_to_provider: false,
    removal_verified: false,
    error_code: null,
    updated_at: world.now(),
  };
  world.submissions.set(reference, submission);
  return { status: 202, body: submission };
}

export function findDeindexSubmission(world: World, { query }: Call): Answer {
  const found = world.submissions.get(query.reference ?? '');
  return { status: 200, body: { data: found ? [found] : [] } };
}
