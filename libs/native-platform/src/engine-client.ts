import type { ScanEngine, ScanOrder } from '#scans';
import type { ServiceCalls } from './provider.js';
import { parseFoundJob, parseJob, parseJobOf } from './records/scan-job.js';

export const engineClient = (provider: ServiceCalls): ScanEngine => ({
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

const jobBody = ({ reference, agencyId, userId, handles }: ScanOrder) => ({
  reference,
  agency_id: agencyId,
  user_id: userId,
  handles: handles.map(({ platform, username, variants }) => ({ platform, username, variants })),
});
