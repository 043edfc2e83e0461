import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Dashboard } from './support/dashboard.js';
import { createKey, storedSecret } from './support/flows.js';
import { closeBrowser, Visitor } from './support/visitor.js';

const COLUMNS = 'Name, Permissions, Scopes, Created, Last used, 24 hours, 7 days, Expires, Status'.split(', ');

describe('API keys', () => {
  let dashboard: Dashboard;
  let owner: Visitor;

  beforeAll(async () => {
    dashboard = await Dashboard.start();
    await dashboard.bindAgency();
  });
  afterEach(() => owner.leave());
  afterAll(async () => {
    await closeBrowser();
    await dashboard.stop();
  });

  const me = (secret: string) => fetch(`${dashboard.apiUrl}/v1/me`, { headers: { Authorization: `Bearer ${secret}` } });

  it('are created with a secret that is shown until it is stored, work, and stop working when revoked', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    const secret = await createKey(owner, 'Roster import');
    expect(await owner.page.content()).not.toContain(secret);
    expect((await me(secret)).status).toBe(200);

    const row = owner.row('API keys', 'Roster import');
    await row.getByText('Active').waitFor();
    expect(await owner.columns('API keys')).toEqual(COLUMNS);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await owner.alertdialog('Revoke key').getByText('GET /v1/me').waitFor();
    await owner.alertdialog('Revoke key').getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('Revoked').waitFor();
    expect((await me(secret)).status).toBe(401);
  });

  it('are replaced: the old one is revoked after the first use of the new one, also when the page was reloaded', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    const old = await createKey(owner, 'Old');
    await owner.row('API keys', 'Old').getByRole('button', { name: 'Replace' }).click();
    await owner.alertdialog('Replace key').getByRole('button', { name: 'Create new key' }).click();
    const secret = await storedSecret(owner, 'Key created');
    await owner.page.getByText('Waiting for the first use of the new key').waitFor();
    await owner.page.reload();
    await owner.page.getByText('Waiting for the first use of the new key').waitFor();
    expect((await me(secret)).status).toBe(200);
    await owner.button('Revoke the old key').click();
    await owner.alertdialog('Revoke key').getByRole('button', { name: 'Revoke', exact: true }).click();
    await owner.page.getByText('The old key is revoked').waitFor();
    expect((await me(old)).status).toBe(401);
    expect((await me(secret)).status).toBe(200);
  });

  it('are shown to a member without any button that changes them', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', '/keys');
    await owner.page.getByRole('table', { name: 'API keys' }).waitFor();
    for (const name of ['Create key', 'Revoke', 'Replace']) expect(await owner.button(name).count()).toBe(0);
  });

  it('are named in any script and length, without widening the page', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys', { width: 360 });
    for (const name of ['W'.repeat(80), 'مرحبا بالعالم '.repeat(5).trim(), '👩‍👩‍👧‍👦'.repeat(8)]) {
      await createKey(owner, name);
      await owner.page.getByText(name).waitFor();
      expect(await owner.pageWidth()).toBe(360);
    }
  });
});
