import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Receiver } from '../e2e/support/receiver.js';
import { Dashboard } from './support/dashboard.js';
import { addEndpoint, bind, createKey } from './support/flows.js';
import { closeBrowser, Visitor } from './support/visitor.js';

describe('Overview', () => {
  let dashboard: Dashboard;
  let owner: Visitor;

  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterEach(() => owner.leave());
  afterAll(async () => {
    await closeBrowser();
    await dashboard.stop();
  });

  const step = (name: string) =>
    owner.page.getByRole('list', { name: 'Checklist' }).getByRole('listitem').filter({ hasText: name });

  it('says what binding revokes, and binds the agency to its owner', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
    await step('bound').getByText('Open').waitFor();
    await owner.button('Bind this agency').click();
    const dialog = owner.alertdialog('Bind this agency');
    await dialog.waitFor();
    const revoked = await dialog.getByRole('list', { name: 'This revokes' }).getByRole('listitem').allTextContents();
    expect(revoked).toEqual(['0 API keys', '0 webhook endpoints']);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await bind(owner);
    await step('bound').getByText('Done').waitFor();
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
      await step(name).getByText('Done').waitFor();
    }
    await step('first event').getByText('Open').waitFor();
    await owner.page.getByText(`curl -i`).waitFor();
    expect(await owner.page.getByText('curl -i').textContent()).toContain(`${dashboard.apiUrl}/v1/me`);
  });

  it('has the figures of its chart as a table', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
    await owner.page.getByText('The same as a table').click();
    const table = owner.page.getByRole('table', { name: 'Events by day' });
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(31);
    await owner.page.locator('.recharts-surface').first().waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('shows a member everything and no button to bind', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Tomas Okafor');
    await owner.page.getByRole('list', { name: 'Checklist' }).waitFor();
    expect(await owner.button('Bind this agency').count()).toBe(0);
    expect(await owner.page.getByRole('navigation').getByRole('link', { name: 'Billing' }).count()).toBe(0);
  });

  it('offers the next step to those who may take it', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Mireille Costa');
    await step('key is issued').getByRole('link', { name: 'Create a key' }).waitFor();
    await step('endpoint is registered').getByRole('link', { name: 'Add an endpoint' }).waitFor();
    await owner.leave();
    owner = await Visitor.signedIn(dashboard.url, 'Priya Raman', '/?agency=agency_harbour');
    await step('key is issued').getByText('Open').waitFor();
    expect(await owner.page.getByRole('list', { name: 'Checklist' }).getByRole('link').count()).toBe(0);
  });

  it('of another agency is not shown to its owner', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Mireille Costa', '/');
    await owner.page.getByText('Harbour Talent').first().waitFor();
    await owner.button('Bind this agency').waitFor();
  });
});
