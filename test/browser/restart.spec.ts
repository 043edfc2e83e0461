import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Dashboard } from './support/dashboard.js';
import { closeBrowser, Visitor } from './support/visitor.js';

describe('The service restarted under an open page', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await Dashboard.start();
    await dashboard.bindAgency();
  });
  afterAll(async () => {
    await closeBrowser();
    await dashboard.stop();
  });

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
});
