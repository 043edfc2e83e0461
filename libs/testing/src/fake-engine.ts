import type { Effect, ScanId } from '#kernel';
import { DomainError } from '#kernel';
import type { ScanCall, ScanEngine, ScanJob } from '#scans';

/** The outcome of the next dispatch, in place of a job. */
export type Fault =
  | { readonly outcome: 'refused'; readonly code: string }
  /** Nobody hears of the answer; `arrived` says whether the call got through. */
  | { readonly outcome: 'lost'; readonly arrived: boolean };

/** A scan engine in memory: repeated calls with a reference give the same job; the body is fixed. */
export class FakeEngine implements ScanEngine {
  configured = true;
  /** All that it was asked to do, refused and repeated calls included. */
  readonly calls: ScanCall[] = [];
  lookups = 0;
  /** Lookups reject with it. */
  failure: DomainError | undefined;
  private fault: Fault | undefined;
  private readonly jobs = new Map<ScanId, ScanJob>();

  /** The next dispatch goes wrong, and none after it. */
  failNext(fault: Fault): void {
    this.fault = fault;
  }

  async dispatch(call: ScanCall): Promise<Effect<ScanJob>> {
    const earlier = this.calls.find(({ reference }) => reference === call.reference);
    this.calls.push(call);
    // D47: only the same key with the same body may be sent again.
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(call)) throw new Error('another body');
    const { fault } = this;
    this.fault = undefined;
    if (fault?.outcome === 'refused') return fault;
    if (fault === undefined || fault.arrived) this.begin(call.reference);
    if (fault !== undefined) return { outcome: 'unknown', error: new DomainError('provider_timeout') };
    return { outcome: 'done', value: this.jobOf(call.reference) };
  }

  async findJob(reference: ScanId): Promise<ScanJob | undefined> {
    this.lookUp();
    return this.jobs.get(reference);
  }

  async getJob(jobId: string): Promise<ScanJob | undefined> {
    this.lookUp();
    return [...this.jobs.values()].find((job) => job.jobId === jobId);
  }

  /** The job goes on, or ends. */
  progress(reference: ScanId, change: Partial<Omit<ScanJob, 'jobId'>>): void {
    this.jobs.set(reference, { ...this.jobOf(reference), ...change });
  }

  /** The engine has lost the job. */
  lose(reference: ScanId): void {
    this.jobs.delete(reference);
  }

  /** The engine has a lost job again, under another id. */
  restore(reference: ScanId, jobId: string): void {
    this.jobs.set(reference, { jobId, status: 'running', errorCode: null, finishedAt: null });
  }

  private begin(reference: ScanId): void {
    if (this.jobs.has(reference)) return;
    this.jobs.set(reference, { jobId: `job-${reference}`, status: 'queued', errorCode: null, finishedAt: null });
  }

  private jobOf(reference: ScanId): ScanJob {
    const job = this.jobs.get(reference);
    if (job === undefined) throw new Error(`no job for ${reference}`);
    return job;
  }

  private lookUp(): void {
    this.lookups++;
    if (this.failure !== undefined) throw this.failure;
  }
}
