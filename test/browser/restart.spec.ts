import { describe, expect, it } from '@jest/globals';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

describe('The service restarted under an open page', () => {
  it('is reported by the page, which comes back without a reload and with what was typed', async () => {
    const owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    await owner.page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await owner.button('Create key').click();
    const dialog = owner.dialog('Create key');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Typed before');
    await dashboard.restart(async () => {
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByRole('alert').waitFor();
      await owner.page.getByText('Reconnecting').waitFor();
    });
    await owner.page.getByText('Live', { exact: true }).waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed before');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await owner.button('I have stored it').click();
    await owner.row('API keys', 'Typed before').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('loads a page that was opened during the restart', async () => {
    const owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    await owner.page.getByText('Live', { exact: true }).waitFor();
    await dashboard.restart(async () => {
      await owner.page.getByRole('link', { name: 'Usage', exact: true }).click();
      await owner.page.getByText('Reconnecting').waitFor();
    });
    await owner.heading('Usage').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('is loaded again when a part of it belongs to an earlier build, but not again and again', async () => {
    const owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    let missed = 0;
    await owner.page.route(/assets\/page-[^/]+\.js$/, async (route) => {
      missed += 1;
      await (missed <= 2 ? route.fulfill({ status: 404 }) : route.fallback());
    });
    await owner.page.getByRole('link', { name: 'Billing', exact: true }).click();
    await owner.heading('Billing').waitFor();
    expect(missed).toBeGreaterThan(2);
    expect(await owner.page.evaluate<string | null>('sessionStorage.getItem("dashboard-reloaded-at")')).not.toBeNull();
  });
});
