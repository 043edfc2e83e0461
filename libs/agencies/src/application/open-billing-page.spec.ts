import { beforeEach, expect, it } from '@jest/globals';
import { agencyId, DomainError } from '#kernel';
import { FakeBilling } from '../../../testing/src/fake-billing.js';
import {
  ListPaymentMethods,
  ListPaymentMethodsHandler,
  OpenBillingPage,
  OpenBillingPageHandler,
} from './agency-billing.js';

const lumen = agencyId('ag_lumen');
const BACK = 'https://api.example/dashboard/billing';

let billing: FakeBilling;
beforeEach(() => {
  billing = new FakeBilling();
});

const open = () => new OpenBillingPageHandler(billing).execute(new OpenBillingPage(lumen, BACK));
const list = () => new ListPaymentMethodsHandler(billing).execute(new ListPaymentMethods(lumen));

it('each page has its own key', async () => {
  const url = `https://pay.example/ag_lumen?back=${encodeURIComponent(BACK)}`;
  expect(await open()).toEqual({ url, expiresAt: 1_000 });
  await open();
  expect(new Set(billing.references).size).toBe(2);
});

it('where the platform offers no page, there is none', async () => {
  billing.methods = undefined;
  expect(await list()).toEqual({ isOffered: false, methods: [] });
  await expect(open()).rejects.toMatchObject({ code: 'not_found' });
});

it('an unknown outcome is the failure of the platform, and another refusal is not the caller’s', async () => {
  billing.failure = { outcome: 'unknown', error: new DomainError('provider_timeout') };
  await expect(open()).rejects.toMatchObject({ code: 'provider_timeout' });
  billing.failure = { outcome: 'refused', code: 'return_url_rejected' };
  await expect(open()).rejects.toMatchObject({ code: 'provider_invalid_response' });
});
