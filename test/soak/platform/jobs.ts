/** How long a scan job and a submission take. */
const JOB_TIME = 1_500;
const SUBMISSION_TIME = 1_000;

interface Job {
  readonly jobId: string;
  readonly reference: string;
  readonly endsAt: number;
  isEnded: boolean;
}

/** Scan jobs that end by the clock; `onEnd` is called once for each, before it is shown as completed. */
export class ScanJobs {
  private readonly jobs = new Map<string, { readonly job: Job; readonly onEnd: (job: Job) => void }>();

  dispatch(reference: string, onEnd: (job: Job) => void) {
    const jobId = `job_${reference}`;
    const entry = this.jobs.get(jobId) ?? {
      job: { jobId, reference, endsAt: Date.now() + JOB_TIME, isEnded: false },
      onEnd,
    };
    this.jobs.set(jobId, entry);
    return this.shown(jobId);
  }

  shown(jobId: string) {
    const entry = this.jobs.get(jobId);
    if (entry === undefined) return undefined;
    const { job, onEnd } = entry;
    if (!job.isEnded && Date.now() >= job.endsAt) {
      job.isEnded = true;
      onEnd(job);
    }
    const status = job.isEnded ? 'completed' : 'running';
    const finishedAt = job.isEnded ? job.endsAt : null;
    return { job_id: jobId, reference: job.reference, status, error_code: null, finished_at: finishedAt };
  }
}

export class Submissions {
  private readonly submitted = new Map<string, number>();

  submit(reference: string) {
    if (!this.submitted.has(reference)) this.submitted.set(reference, Date.now());
    return this.shown(reference);
  }

  shown(reference: string) {
    const at = this.submitted.get(reference);
    if (at === undefined) return undefined;
    const isSubmitted = Date.now() >= at + SUBMISSION_TIME;
    return {
      submission_id: `sub_${reference}`,
      reference,
      status: isSubmitted ? 'submitted' : 'queued',
      submitted_to_provider: isSubmitted,
      removal_verified: false,
      error_code: null,
      updated_at: isSubmitted ? at + SUBMISSION_TIME : at,
    };
  }
}
