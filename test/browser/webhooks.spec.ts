import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Receiver } from '../e2e/support/receiver.js';
import { Dashboard } from './support/dashboard.js';
import { storedSecret } from './support/flows.js';
import { closeBrowser, Visitor } from './support/visitor.js';

const COLUMNS = ['URL', 'Status', 'Success rate', 'Latency', 'Pending', 'Last failure', 'Disabled in'];

describe('Webhooks', () => {
  let dashboard: Dashboard;
  let owner: Visitor;
  let receiver: Receiver;
  let secret: string;

  beforeAll(async () => {
    dashboard = await Dashboard.start();
    await dashboard.bindAgency();
    receiver = await Receiver.start();
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/webhooks');
  });
  afterAll(async () => {
    await owner.leave();
    await closeBrowser();
    await dashboard.stop();
  });

  const row = () => owner.row('Endpoints', receiver.url);

  it('an endpoint is added with some of the event types', async () => {
    await owner.button('Add endpoint').click();
    const dialog = owner.dialog('Add endpoint');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await dialog.getByRole('group', { name: 'Event types' }).getByRole('checkbox', { name: 'case.deleted' }).uncheck();
    await dialog.getByRole('button', { name: 'Add endpoint', exact: true }).click();
    secret = await storedSecret(owner, 'Secret created');
    await row().getByText('Active').waitFor();
    expect(await owner.columns('Endpoints')).toEqual(COLUMNS);
    expect(await row().textContent()).not.toContain('case.deleted');
  });

  it('a test shows the request as it was sent, and the answer', async () => {
    receiver.answers(500);
    await row().getByRole('button', { name: 'Send test' }).click();
    const dialog = owner.dialog('Send test');
    await dialog.getByText('webhook-signature').waitFor();
    await dialog.getByText('500', { exact: true }).waitFor();
    const sent = receiver.received.find(({ body }) => body.includes('"type":"ping"'));
    expect(await dialog.textContent()).toContain(sent?.body.toString());
    expect(await dialog.textContent()).not.toContain('never');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('a rotation gives another secret', async () => {
    await row().getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = owner.dialog('Rotate secret');
    await dialog
      .getByRole('radiogroup', { name: 'Old secret signs for' })
      .getByRole('radio', { name: 'Not at all' })
      .check();
    await dialog.getByRole('button', { name: 'Rotate secret', exact: true }).click();
    expect(await storedSecret(owner, 'Secret created')).not.toBe(secret);
  });

  it('a signature that nothing of ours made is reported', async () => {
    const [sent] = receiver.received;
    const forged = createHmac('sha256', 'not ours').update('x').digest('hex');
    const signature = String(sent?.headers['x-svc-signature']).replace(/v1=.*/, `v1=${forged}`);
    const headers = { ...sent?.headers, 'x-svc-signature': signature };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
    await owner.page.getByRole('textbox', { name: 'Headers' }).fill(lines.join('\n'));
    await owner.page.getByRole('textbox', { name: 'Body' }).fill(sent?.body.toString() ?? '');
    await owner.button('Check').click();
    await owner.page
      .getByRole('status')
      .filter({ hasText: /^Unknown secret/ })
      .waitFor();
  });

  it('an endpoint is disabled after a question, and enabled again', async () => {
    await row().getByRole('button', { name: 'Disable' }).click();
    await owner.alertdialog('Disable endpoint').getByRole('button', { name: 'Disable', exact: true }).click();
    await row().getByText('Disabled').waitFor();
    await row().getByRole('button', { name: 'Enable' }).click();
    await row().getByText('Active').waitFor();
    expect(owner.problems).toEqual([]);
  });
});
