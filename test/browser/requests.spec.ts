import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Dashboard } from './support/dashboard.js';
import { closeBrowser, Visitor } from './support/visitor.js';

describe('The page Requests', () => {
  let dashboard: Dashboard;
  let visitor: Visitor;
  let secret: string;

  /** Binds the demo agency, and creates the key, as its owner does. */
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    const owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
    await owner.button('Bind this agency').click();
    await owner.alertdialog('Bind this agency').getByRole('button', { name: 'Confirm binding' }).click();
    await owner.alertdialog('Bind this agency').waitFor({ state: 'detached' });
    await owner.go('API keys');
    await owner.button('Create key').click();
    await owner.dialog('Create key').getByRole('textbox', { name: 'Name' }).fill('backend');
    await owner.dialog('Create key').getByRole('button', { name: 'Create key' }).click();
    secret = await owner.dialog('Key created').getByRole('textbox', { name: 'Secret' }).inputValue();
    await owner.leave();
  });
  afterEach(async () => {
    expect(visitor.problems).toEqual([]);
    await visitor.leave();
  });
  afterAll(async () => {
    await closeBrowser();
    await dashboard.stop();
  });

  const call = async (path: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`${dashboard.apiUrl}/v1${path}`, { headers })).headers.get('x-request-id') ?? '';
  };

  it('leads from what goes wrong to the requests, with their rules', async () => {
    await call('/me');
    const invalid = await call('/creators?limit=0');
    for (let n = 0; n < 3; n++) await call('/scans/scn_01m84shndyfewanvze4qf2ae58');
    visitor = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', '/requests');
    await visitor.heading('Requests').waitFor();
    const group = visitor.row('Refused requests by code', 'not_found');
    await group.waitFor();
    expect(await group.textContent()).toContain('GET /v1/scans/{id}');
    await visitor.row('Refused requests by code', 'invalid_request').getByRole('button').click();
    await visitor.page.getByRole('combobox', { name: 'Code' }).waitFor();
    expect(new URL(visitor.page.url()).searchParams.get('code')).toBe('invalid_request');
    const row = visitor.row('Requests', invalid);
    await row.waitFor();
    expect(await row.textContent()).toContain('must be a whole number from 1 to 100');
    await visitor.button('Clear filters').click();
    await visitor.row('Requests', 'not_found').first().waitFor();
    expect(new URL(visitor.page.url()).search).toBe('');
  });

  it('finds a request by its id, also after a reload', async () => {
    const id = await call('/nothing');
    visitor = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', `/requests?request=${id}`);
    await visitor.row('Requests', id).waitFor();
    await visitor.page.reload();
    await visitor.row('Requests', id).waitFor();
    const filter = visitor.page.getByRole('textbox', { name: 'Request id' });
    await filter.fill('nobody');
    await visitor.page.getByText('No matches').waitFor();
    const isInSight = 'document.activeElement.value === "nobody" && window.scrollY > 0';
    expect(await visitor.page.evaluate<boolean>(isInSight)).toBe(true);
  });

  it('shows calls by hour and by minute, each with a table, at 360 pixels too', async () => {
    await call('/me');
    visitor = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', '/requests', { colorScheme: 'dark', width: 360 });
    await visitor.page.getByText(/calls with a valid key, of all keys/).waitFor();
    await visitor.row('Calls by key', 'key_').waitFor();
    await visitor.page.getByRole('radio', { name: '24 hours by minute' }).click();
    await visitor.page.getByText('The same by time, as a table').click();
    await visitor.row('Calls by time', 'UTC').first().waitFor();
    expect(new URL(visitor.page.url()).search).toBe('?by=minute');
    expect(await visitor.pageWidth()).toBe(360);
  });
});
