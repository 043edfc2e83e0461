import { afterAll, afterEach, expect, test } from '@jest/globals';
import { ListPaymentMethods, OpenBillingPage } from '#agencies';
import { agencyId } from '#kernel';
import { CANARY, SecondPlatform } from '../../second-platform/index.js';
import { startService } from '../support/start-service.js';
import { TestClock } from '../support/test-clock.js';

/** Payment methods of an implementation of the contract that nobody wrote with the service in mind. */
const clock = new TestClock();
const second = await SecondPlatform.start(() => clock.now());
const service = await startService({
  clock,
  env: { NATIVE_PLATFORM_URL: second.platform.url, NATIVE_PLATFORM_TOKEN: second.platform.token },
});
let opened = 0;

afterEach(() => {
  expect(second.record.breaches).toEqual([]);
  expect(second.record.slips).toEqual([]);
  expect(second.record.sentTwice()).toEqual([]);
});
afterAll(() => second.stop());

const open = (given: Parameters<typeof second.control.openAgency>[1] = {}) => {
  opened += 1;
  return { id: agencyId(second.control.openAgency(`agence n° ${opened}/été?`, given).id) };
};

test('payment methods are shown in any words, and their page keeps its address', async () => {
  const { id } = open();
  const { queries, commands } = service.services;
  const shown = await queries.execute(new ListPaymentMethods(id));
  expect(JSON.stringify(shown)).not.toContain(CANARY);
  expect(shown.methods).toStrictEqual([
    {
      id: 'méthode/1?é#',
      kind: 'virement',
      label: 'Virement « SEPA » مرحبا 💳 …3000',
      expires: null,
      isDefault: false,
    },
    { id: 'méthode/2', kind: 'crypto_wallet', label: 'Portefeuille', expires: null, isDefault: false },
  ]);
  const returnUrl = 'https://api.example/dashboard/billing?agency=é';
  const back = new URL(returnUrl).href;
  const { url, expiresAt } = await commands.execute(new OpenBillingPage(id, back));
  expect(url).toMatch(/^https:\/\/paiements\.second\.example:8443\/p;v=2\/\w+\?retour=/);
  expect(new URL(url).searchParams.get('retour')).toBe(back);
  expect(expiresAt).toBeGreaterThan(clock.now());
});

test.each([404, 405, 501] as const)('a platform without billing may say so with %i', async (billingLacks) => {
  const { id } = open({ billingLacks });
  const { queries, commands } = service.services;
  expect(await queries.execute(new ListPaymentMethods(id))).toEqual({ isOffered: false, methods: [] });
  const page = commands.execute(new OpenBillingPage(id, 'https://api.example/dashboard/billing'));
  await expect(page).rejects.toMatchObject({ code: 'not_found' });
});
