import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { accessibilityFindings } from './support/accessibility.js';
import { startDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startDashboard();

describe('The page Requests', () => {
  let visitor: Visitor;
  let secret: string;

  /** Binds the demo agency, and creates the key, as its owner does. */
  beforeAll(async () => {
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
    await visitor.row('Refused requests by code', 'invalid_request').getByRole('link').click();
    await visitor.page.getByRole('combobox', { name: 'Code' }).waitFor();
    expect(new URL(visitor.page.url()).searchParams.get('code')).toBe('invalid_request');
    const row = visitor.row('Requests', invalid);
    await row.waitFor();
    expect(await row.textContent()).toContain('must be a whole number from 1 to 100');
    await visitor.button('Clear filters').click();
    await visitor.row('Requests', 'not_found').first().waitFor();
    expect(new URL(visitor.page.url()).search).toBe('');
  });

  it('has a page for each request: its rules, the remedy with the guide, and a line to repeat it', async () => {
    const id = await call('/creators?limit=0');
    visitor = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', '/requests');
    const { page } = visitor;
    await visitor.row('Requests', id).getByRole('link').first().click();
    await visitor.heading('GET /v1/creators').waitFor();
    await page.getByRole('list', { name: 'Rules' }).getByText('must be a whole number from 1 to 100').waitFor();
    await page.getByText(`curl -i -H 'Authorization: Bearer svc_live_…' '${dashboard.apiUrl}/v1/creators'`).waitFor();
    await visitor.row('Requests', id).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('link', { name: 'Documentation of errors' }).click();
    await page.locator('[id="section/Errors"]').waitFor();
  });

  it('has 50 requests in at most 1,500 elements, and copies an id that has the focus', async () => {
    for (let n = 0; n < 60; n++) await call(`/creators/crt_01m84shndyfewanvze4qf2ae58?limit=${n}`);
    const id = await call('/creators?limit=0');
    visitor = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', '/requests');
    const { page } = visitor;
    await page.getByRole('table', { name: 'Requests', exact: true }).getByRole('row').nth(50).waitFor();
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1_500);
    await visitor.row('Requests', id).getByRole('link').first().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status', { name: 'Notification' }).getByText('Copied').waitFor();
  });

  it('says that a request which succeeded is not kept, and leads from the navigation to those that were not', async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', `/requests/${await call('/me')}`);
    await visitor.page.getByText('One that succeeded is not among them').waitFor();
    const entry = visitor.page.getByRole('navigation').getByTitle(/^\d+ refused requests in 24 hours$/);
    await entry.click();
    await visitor.heading('Requests').waitFor();
  });

  it('shows calls by hour and by minute, each with a table, at 360 pixels too', async () => {
    await call('/me');
    visitor = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', '/requests', { colorScheme: 'dark', width: 360 });
    await visitor.page.getByText(/calls? with a valid key, of all keys/).waitFor();
    await visitor.row('Calls by key', 'backend').waitFor();
    await visitor.page.getByRole('radio', { name: '24 hours by minute' }).click();
    await visitor.row('Calls by time', 'ago').first().waitFor();
    await visitor.page.getByText('The same as a table').scrollIntoViewIfNeeded();
    await visitor.page.locator('.recharts-bar-rectangle').first().waitFor({ state: 'attached' });
    expect(await visitor.page.locator('.recharts-bar-rectangle').count()).toBeLessThanOrEqual(96);
    expect(new URL(visitor.page.url()).search).toBe('?by=minute');
    expect(await visitor.pageWidth()).toBe(360);
  });
});
