import { expect, it } from '@jest/globals';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { startService } from '../support/start-service.js';

const service = await startService({ provider: NO_PROVIDER });
const BILLING = '/billing';

const open = async (change: object = {}) => {
  const agency = await service.agency();
  await agency.change(change);
  return { agency, owner: await DashboardPage.ofOwner(service, agency) };
};

it('shows the plan and the payment methods, and what changed on the platform’s own page', async () => {
  const { owner } = await open({ plan: 'agency_pro' });
  expect(await owner.got(BILLING)).toMatchObject({ offered: true, plan: 'agency_pro', payment_methods: [] });
  const { body } = await owner.send<{ url: string }>('POST', `${BILLING}/session`, {
    return_path: '/dashboard/billing?agency=a',
  });
  expect(await (await fetch(body.url)).text()).toContain(`href="${service.url}/dashboard/billing?agency=a"`);
  await fetch(`${body.url}/add`, { method: 'POST', body: new URLSearchParams({ choice: '0' }) });
  expect(await owner.got(BILLING)).toMatchObject({
    payment_methods: [{ kind: 'card', label: 'Visa •••• 4242', expires: '2029-04', is_default: true }],
  });
});

it('the platform’s page leads to the dashboard, and never elsewhere', async () => {
  const { owner } = await open();
  const return_path = 'https://evil.example/';
  const { status, body } = await owner.send<{ url: string }>('POST', `${BILLING}/session`, { return_path });
  expect(status).toBe(201);
  expect(await (await fetch(body.url)).text()).toContain(`href="${service.url}/dashboard/"`);
});

it('says where the platform does not offer it', async () => {
  const { owner } = await open({ billing_offered: false });
  expect(await owner.got(BILLING)).toMatchObject({ offered: false, payment_methods: [] });
  const page = await owner.send('POST', `${BILLING}/session`, { return_path: '/dashboard/billing' });
  expect(page).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
});

it('leaves out a method that shows a full number', async () => {
  const card = { id: 'pm_1', kind: 'card', label: '4242 4242 4242 4242', is_default: true };
  const { owner } = await open({ payment_methods: [card, { ...card, id: 'pm_2', label: 'Visa 4242' }] });
  const shown = await owner.got<{ payment_methods: object[] }>(BILLING);
  expect(shown.payment_methods).toMatchObject([{ id: 'pm_2' }]);
});
