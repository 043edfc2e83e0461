import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { Billing } from '../api/types.js';

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => call<Billing>('/api/billing', { signal }),
});

/** A page of the platform that leads back to `returnPath`. */
export const openBillingPage = (returnPath: string): Promise<{ readonly url: string }> =>
  call('/api/billing/session', { method: 'POST', body: { return_path: returnPath } });
