import type { BillingAnswer, BillingPageAnswer } from '../../src/billing/answers.js';
import { call } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';

export const billingQuery = serverQuery<BillingAnswer>('billing', '/api/billing');

/** A page of the platform that leads back to `returnPath`. */
export const openBillingPage = (returnPath: string): Promise<BillingPageAnswer> =>
  call('/api/billing/session', { method: 'POST', body: { return_path: returnPath } });
