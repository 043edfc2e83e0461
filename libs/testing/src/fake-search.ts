import type { DeindexCall, DeindexSubmission, SearchProvider } from '#deindexing';
import { type DeindexRequestId, DomainError, type Effect } from '#kernel';
import type { Fault } from './fake-engine.js';

/** A search provider in memory: repeated calls with a reference give the same submission; the body is fixed. */
export class FakeSearch implements SearchProvider {
  configured = true;
  /** All that it was asked to do, refused and repeated calls included. */
  readonly calls: DeindexCall[] = [];
  lookups = 0;
  /** Lookups reject with it. */
  failure: DomainError | undefined;
  private fault: Fault | undefined;
  private readonly submissions = new Map<DeindexRequestId, DeindexSubmission>();

  /** The next submission goes wrong, and none after it. */
  failNext(fault: Fault): void {
    this.fault = fault;
  }

  async submit(call: DeindexCall): Promise<Effect<DeindexSubmission>> {
    const earlier = this.calls.find(({ reference }) => reference === call.reference);
    this.calls.push(call);
    // D47: only the same key with the same body may be sent again.
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(call)) throw new Error('another body');
    const { fault } = this;
    this.fault = undefined;
    if (fault?.outcome === 'refused') return fault;
    const submission = this.submissions.get(call.reference) ?? QUEUED;
    if (fault === undefined || fault.arrived) this.submissions.set(call.reference, submission);
    if (fault !== undefined) return { outcome: 'unknown', error: new DomainError('provider_timeout') };
    return { outcome: 'done', value: submission };
  }

  async find(reference: DeindexRequestId): Promise<DeindexSubmission | undefined> {
    this.lookups++;
    if (this.failure !== undefined) throw this.failure;
    return this.submissions.get(reference);
  }

  /** The record changes, and says that it did. */
  progress(reference: DeindexRequestId, change: Partial<DeindexSubmission>): void {
    const known = this.submissions.get(reference) ?? QUEUED;
    this.submissions.set(reference, { ...known, updatedAt: known.updatedAt + 1, ...change });
  }

  /** The provider has lost the record. */
  lose(reference: DeindexRequestId): void {
    this.submissions.delete(reference);
  }
}

const QUEUED: DeindexSubmission = {
  status: 'queued',
  submittedToProvider: false,
  removalVerified: false,
  errorCode: null,
  updatedAt: 1,
};
