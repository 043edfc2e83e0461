import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Receiver } from '../e2e/support/receiver.js';
import { accessibilityFindings } from './support/accessibility.js';
import { storedSecret } from './support/flows.js';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

const COLUMNS = ['URL', 'Status', 'Success rate', 'Latency', 'Pending', 'Last failure', 'Disabled in'];

describe('Webhooks', () => {
  let owner: Visitor;
  let receiver: Receiver;
  let secret: string;

  beforeAll(async () => {
    receiver = await Receiver.start();
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/webhooks');
  });

  const row = () => owner.row('Endpoints', receiver.url);

  it('an endpoint is added with some of the event types', async () => {
    await owner.button('Add endpoint').click();
    const dialog = owner.dialog('Add endpoint');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await dialog.getByRole('group', { name: 'Event types' }).getByRole('checkbox', { name: 'case.deleted' }).uncheck();
    await dialog.getByRole('button', { name: 'Add endpoint', exact: true }).click();
    secret = await storedSecret(owner, 'Secret created');
    await row().getByText('Healthy').waitFor();
    expect(await owner.columns('Endpoints')).toEqual(COLUMNS);
  });

  it('a test shows the request as it was sent, and the answer', async () => {
    receiver.answers(500);
    await owner.act(row(), 'Send test');
    const dialog = owner.dialog('Send test');
    await dialog.getByText('webhook-signature').waitFor();
    await dialog.getByText('500', { exact: true }).waitFor();
    const sent = receiver.received.find(({ body }) => body.includes('"type":"ping"'));
    expect(await dialog.textContent()).toContain(sent?.body.toString());
    expect(await dialog.textContent()).not.toContain('never');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('a rotation gives another secret', async () => {
    await owner.act(row(), 'Rotate secret');
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
    await row().getByRole('link').first().click();
    await owner.heading(receiver.url.replace(/^https?:\/\/|\?.*$/g, '')).waitFor();
    await owner.page.getByRole('textbox', { name: 'Headers' }).fill(lines.join('\n'));
    await owner.page.getByRole('textbox', { name: 'Body' }).fill(sent?.body.toString() ?? '');
    await owner.button('Check').click();
    await owner.page
      .getByRole('status')
      .filter({ hasText: /^Unknown secret/ })
      .waitFor();
  });

  it('the page of an endpoint says how it is and offers the same actions', async () => {
    const secrets = owner.page.getByRole('term').filter({ hasText: 'Secrets in force' });
    await secrets.locator('+ dd').filter({ hasText: /^1$/ }).waitFor();
    for (const name of ['Send test', 'Rotate secret', 'Event types', 'Disable']) await owner.button(name).waitFor();
    await owner.page.getByRole('heading', { name: 'Recent deliveries' }).waitFor();
    expect(await accessibilityFindings(owner.page)).toEqual([]);
    await owner.go('Webhooks');
  });

  it('an endpoint is disabled after a question, and enabled again', async () => {
    await owner.act(row(), 'Disable');
    await owner.alertdialog('Disable endpoint').getByRole('button', { name: 'Disable', exact: true }).click();
    await row().getByText('Disabled').waitFor();
    await owner.act(row(), 'Enable');
    await row().getByText('Healthy').waitFor();
    expect(owner.problems).toEqual([]);
  });
});
