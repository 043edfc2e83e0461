import type { DeindexOrder, SearchProvider } from '#deindexing';
import type { ServiceCalls } from './provider.js';
import { parseFoundSubmission, parseSubmissionOf } from './records/deindex-submission.js';

export const searchClient = (provider: ServiceCalls): SearchProvider => ({
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

const submissionBody = ({ reference, agencyId, userId, leakId, url }: DeindexOrder) => ({
  reference,
  agency_id: agencyId,
  user_id: userId,
  leak_id: leakId,
  url,
});
