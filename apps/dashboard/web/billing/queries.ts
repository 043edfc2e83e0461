import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { BillingAnswer, BillingPageAnswer } from '../api/types.gen.js';

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => call<BillingAnswer>('/api/billing', { signal }),
});

/** A page of the platform that leads back to `returnPath`. */
export const openBillingPage = (returnPath: string): Promise<BillingPageAnswer> =>
  call('/api/billing/session', { method: 'POST', body: { return_path: returnPath } });
