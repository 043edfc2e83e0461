import type { DeindexCall, SearchProvider } from '#deindexing';
import type { ScanCall, ScanEngine } from '#scans';
import type { Provider } from './provider.js';
import { parseFoundJob, parseFoundSubmission, parseJob, parseJobOf, parseSubmissionOf } from './records/effect.js';

export const engineClient = (provider: Provider): ScanEngine => ({
  configured: provider.configured,

  dispatch: (order) =>
    provider.change({
      operation: 'dispatchScan',
      method: 'POST',
      path: ['scan-jobs'],
      idempotencyKey: order.reference,
      body: jobBody(order),
      done: [202],
      refused: [422],
      parse: parseJobOf(order.reference),
    }),

  findJob: (reference) =>
    provider.read({
      operation: 'findScanJob',
      path: ['scan-jobs'],
      query: { reference },
      parse: parseFoundJob(reference),
    }),

  getJob: (jobId) => provider.find({ operation: 'getScanJob', path: ['scan-jobs', jobId], parse: parseJob(jobId) }),
});

const jobBody = ({ reference, agencyId, userId, handles }: ScanCall) => ({
  reference,
  agency_id: agencyId,
  user_id: userId,
  handles: handles.map(({ platform, username, variants }) => ({ platform, username, variants })),
});

export const searchClient = (provider: Provider): SearchProvider => ({
  configured: provider.configured,

  submit: (order) =>
    provider.change({
      operation: 'submitDeindex',
      method: 'POST',
      path: ['deindex-submissions'],
      idempotencyKey: order.reference,
      body: submissionBody(order),
      done: [202],
      refused: [422],
      parse: parseSubmissionOf(order.reference),
    }),

  // A 404 does not mean "none", because after a "none" the caller may send again.
  find: (reference) =>
    provider.read({
      operation: 'findDeindexSubmission',
      path: ['deindex-submissions'],
      query: { reference },
      parse: parseFoundSubmission(reference),
    }),
});

const submissionBody = ({ reference, agencyId, userId, leakId, url }: DeindexCall) => ({
  reference,
  agency_id: agencyId,
  user_id: userId,
  leak_id: leakId,
  url,
});
