import { afterEach, describe, expect, it } from '@jest/globals';
import { Receiver } from '../e2e/support/receiver.js';
import { addEndpoint, bind, createKey } from './support/flows.js';
import { startDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startDashboard();

describe('Overview', () => {
  let owner: Visitor;

  afterEach(() => owner.leave());

  const step = (name: string) =>
    owner.page.getByRole('list', { name: 'Checklist' }).getByRole('listitem').filter({ hasText: name });

  const next = (name: string) => owner.page.getByText(`Next: ${name}`, { exact: true });

  it('of an agency that is not bound has nothing to create yet, and says who will own it', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    for (const page of ['API keys', 'Webhooks']) {
      await owner.go(page);
      await owner.page.getByRole('link', { name: 'Bind this agency first.' }).waitFor();
      expect(await owner.page.locator('main').getByRole('button').count()).toBe(0);
    }
    await owner.go('Overview');
    await next('Bind this agency').waitFor();
    expect(await next('Bind this agency').getByRole('link').count()).toBe(0);
    await owner.button('Bind this agency').click();
    const dialog = owner.alertdialog('Bind this agency');
    await dialog.getByText('Northlight Talent, with Nora Lindgren as its owner').waitFor();
    expect(await dialog.textContent()).not.toContain('revokes');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await bind(owner);
    await step('bound').waitFor();
    await next('Create a key').getByRole('link', { name: 'Create a key' }).waitFor();
  });

  it('follows the way from the first key to the first call and the first endpoint', async () => {
    const receiver = await Receiver.start();
    // An event that is delivered before the page is read would end the step of the first event.
    receiver.answers(503);
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    const secret = await createKey(owner, 'First');
    const curl = await fetch(`${dashboard.apiUrl}/v1/me`, { headers: { Authorization: `Bearer ${secret}` } });
    expect(curl.status).toBe(200);
    await owner.go('Webhooks');
    await addEndpoint(owner, receiver.url);
    await owner.go('Overview');
    for (const name of ['key is issued', 'first call', 'endpoint is registered']) {
      await step(name).waitFor();
    }
    expect(await step('first event').count()).toBe(0);
    await next('Send a test event').getByRole('link').click();
    await owner.heading('Webhooks').waitFor();
    receiver.answers(200);
    await owner.act(owner.row('Endpoints', new URL(receiver.url).host), 'Send test');
    await owner.dialog('Send test').getByText('200', { exact: true }).waitFor();
    await owner.dialog('Send test').getByRole('button', { name: 'Close' }).click();
    await owner.go('Overview');
    await owner.page.getByText('Setup', { exact: true }).click();
    await step('first event').waitFor();
    await owner.page.getByText(`curl -i`).waitFor();
    expect(await owner.page.getByText('curl -i').textContent()).toContain(`${dashboard.apiUrl}/v1/me`);
  });

  it('has the figures of its chart as a table', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
    expect(await owner.page.getByRole('link', { name: /^\d+ events?$/ }).getAttribute('href')).toContain('from=');
    for (const [name, text] of [
      ['Undelivered events', /^\d+$/],
      ['Failing endpoints', /^\d+$/],
      ['Refused requests of 24 hours', /^\d+$/],
      ['Capacity', /^\d+ of \d+ slots\d+ free/],
    ] as const) {
      const term = owner.page.getByRole('term').filter({ hasText: name });
      await term.locator('+ dd').filter({ hasText: text }).waitFor();
    }
    const table = owner.page.getByRole('table', { name: 'Events by day' });
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(31);
    await owner.page.getByText('The same as a table').scrollIntoViewIfNeeded();
    await owner.page.locator('.recharts-surface').first().waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('shows a member everything and no button to bind', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Tomas Okafor');
    await owner.page.getByText('Setup', { exact: true }).click();
    await owner.page.getByRole('list', { name: 'Checklist' }).waitFor();
    expect(await owner.button('Bind this agency').count()).toBe(0);
    expect(await owner.page.getByRole('navigation').getByRole('link', { name: 'Billing' }).count()).toBe(0);
  });

  it('offers no next step to those who may not take it', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Priya Raman', '/?agency=agency_harbour');
    await next('Bind this agency').waitFor();
    expect(await next('Bind this agency').getByRole('link').count()).toBe(0);
  });

  it('of another agency is not shown to its owner', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Mireille Costa', '/');
    await owner.page.getByText('Harbour Talent').first().waitFor();
    await owner.button('Bind this agency').waitFor();
  });

  it('says to a new owner what the binding revokes', async () => {
    const { people } = await dashboard.platform.control<{ people: readonly { id: string; name: string }[] }>(
      'GET',
      '/state',
    );
    const successor = people.find(({ name }) => name === 'Tomas Okafor')?.id;
    await dashboard.platform.control('PATCH', '/agencies/agency_demo', { owner_user_id: successor });
    owner = await Visitor.signedIn(dashboard.url, 'Tomas Okafor');
    await owner.button('Bind this agency').click();
    const revoked = owner.page.getByRole('list', { name: 'This revokes' }).getByRole('listitem');
    await revoked.first().waitFor();
    expect(await revoked.allTextContents()).toEqual(['1 API key', '1 webhook endpoint']);
  });
});
