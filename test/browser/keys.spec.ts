import { afterEach, describe, expect, it } from '@jest/globals';
import { createKey, storedSecret } from './support/flows.js';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

const COLUMNS = 'Name, Secret, Permissions, Last used, 24 hours, 7 days, Expires, Status'.split(', ');

describe('API keys', () => {
  let owner: Visitor;

  afterEach(() => owner.leave());

  const me = (secret: string) => fetch(`${dashboard.apiUrl}/v1/me`, { headers: { Authorization: `Bearer ${secret}` } });

  it('are created with a secret that is shown until it is stored, work, and stop working when revoked', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    const secret = await createKey(owner, 'Roster import');
    expect(await owner.page.content()).not.toContain(secret);
    expect((await me(secret)).status).toBe(200);

    const row = owner.row('API keys', 'Roster import');
    await row.getByText('Active').waitFor();
    expect(await owner.columns('API keys')).toEqual(COLUMNS);
    await row.getByText(`svc_live_…${secret.slice(-4)}`).waitFor();
    await owner.act(row, 'Revoke');
    await owner.alertdialog('Revoke key').getByText('GET /v1/me').waitFor();
    await owner.alertdialog('Revoke key').getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('Revoked').waitFor();
    // The row's menu is gone, and the focus has to stay near it.
    await owner.page.waitForFunction("document.activeElement.closest('table') !== null");
    await owner.page.getByText(/^Roster import .* is revoked$/).waitFor();
    expect((await me(secret)).status).toBe(401);
  });

  it('are replaced: the old one is revoked after the first use of the new one, also when the page was reloaded', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    const old = await createKey(owner, 'Old');
    await owner.act(owner.row('API keys', 'Old'), 'Replace');
    await owner.alertdialog('Replace key').getByRole('button', { name: 'Create new key' }).click();
    const secret = await storedSecret(owner, 'Key created');
    await owner.page.getByText(`the first use of the new key, Old (…${secret.slice(-4)})`).waitFor();
    await owner.page.reload();
    await owner.page.getByText('Waiting for the first use of the new key').waitFor();
    expect((await me(secret)).status).toBe(200);
    await owner.button('Revoke the old key').click();
    await owner.alertdialog('Revoke key').getByRole('button', { name: 'Revoke', exact: true }).click();
    await owner.page.getByText('The old key is revoked').waitFor();
    expect((await me(old)).status).toBe(401);
    expect((await me(secret)).status).toBe(200);
  });

  it('are filtered by status, and sorted by a column, also after a reload', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys?sort=name');
    await createKey(owner, 'Aa first');
    await createKey(owner, 'Zz last');
    const names = owner.page.getByRole('table', { name: 'API keys' }).locator('tbody td:first-child');
    await names.first().getByText('Aa first').waitFor();
    await owner.page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click();
    await names.first().getByText('Zz last').waitFor();
    expect(new URL(owner.page.url()).search).toBe('?sort=-name');
    await owner.page.reload();
    await names.first().getByText('Zz last').waitFor();
    expect(await owner.page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
    await owner.page.getByRole('combobox', { name: 'Status' }).selectOption('revoked');
    await names.filter({ hasText: 'Zz last' }).waitFor({ state: 'detached' });
    await owner.button('Clear filters').click();
    await names.first().getByText('Zz last').waitFor();
  });

  it('need a name, and say so at its field', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    await owner.button('Create key').click();
    const dialog = owner.dialog('Create key');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Enter a name').waitFor();
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await name.fill('x'.repeat(81));
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText(/80/).nth(1).waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('are shown to a member without any button that changes them', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', '/keys');
    await owner.page.getByRole('table', { name: 'API keys' }).waitFor();
    expect(await owner.page.locator('main').getByRole('button').count()).toBe(0);
  });

  it('are named in any script and length, without widening the page', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys', { width: 360 });
    for (const name of ['W'.repeat(80), 'مرحبا بالعالم '.repeat(5).trim(), '👩‍👩‍👧‍👦'.repeat(8)]) {
      await createKey(owner, name);
      await owner.page.getByRole('link', { name }).waitFor();
      expect(await owner.pageWidth()).toBe(360);
    }
  });
});
