import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY } from '#kernel';
import { eventually } from '#testing';
import { Receiver } from '../e2e/support/receiver.js';
import { accessibilityFindings } from './support/accessibility.js';
import { addEndpoint, createKey, protectACreator } from './support/flows.js';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

const COLUMNS = ['Event', 'Creator', 'Endpoint', 'Status', 'Attempts', 'Answer', 'Next attempt', 'Time'];

describe('Deliveries', () => {
  let owner: Visitor;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.start();
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/webhooks');
    await addEndpoint(owner, receiver.url);
    await owner.go('API keys');
    await protectACreator(dashboard.apiUrl, await createKey(owner, 'Deliveries'));
    await owner.go('Deliveries');
  });

  const activation = () => owner.row('Deliveries', 'protection.activated');

  it('appear as they are sent, and are found by their filters, which survive a reload', async () => {
    await activation().getByText('Delivered').waitFor();
    expect(await owner.columns('Deliveries')).toEqual(COLUMNS);
    await owner.page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
    await owner.page.getByText('No matches').waitFor();
    await owner.page.reload();
    await owner.page.getByText('No matches').waitFor();
    expect(new URL(owner.page.url()).searchParams.get('status')).toBe('failed');
    await owner.button('Clear filters').click();
    await owner.page.getByRole('combobox', { name: 'Type' }).selectOption('protection.activated');
    await activation().getByText('Delivered').waitFor();
    expect(await owner.page.getByRole('table', { name: 'Deliveries' }).getByRole('row').count()).toBe(2);
    await owner.page.getByRole('textbox', { name: 'Answer' }).fill('503');
    await owner.page.getByText('No matches').waitFor();
    await owner.button('24 hours').click();
    await owner.page.waitForURL(/answer=503.*from=/);
    const { searchParams } = new URL(owner.page.url());
    expect(Math.abs(Date.now() - DAY - Number(searchParams.get('from')))).toBeLessThan(60_000);
    await owner.page.goBack();
    await owner.page.goBack();
    await activation().getByText('Delivered').waitFor();
    expect(await owner.page.getByRole('textbox', { name: 'Answer' }).inputValue()).toBe('');
  });

  it('show the request and each attempt, and are sent again by "Replay", with the keyboard too', async () => {
    await activation().getByRole('link', { name: 'protection.activated' }).click();
    const attempts = owner.page.getByRole('table', { name: 'Attempts' }).getByRole('row');
    await attempts.nth(1).getByRole('cell', { name: '200', exact: true }).waitFor();
    const sent = receiver.received.find(({ body }) => body.includes('protection.activated'));
    await owner.page.getByText('"type": "protection.activated"').waitFor();
    await owner.page.getByRole('switch', { name: 'As it was sent' }).check();
    await owner.page.getByText(sent?.body.toString() ?? '').waitFor();
    await owner.button('Replay').focus();
    await owner.page.keyboard.press('Enter');
    await attempts.nth(2).getByRole('cell', { name: '200', exact: true }).waitFor();
    const bodies = receiver.received.filter(({ body }) => body.equals(sent?.body ?? Buffer.alloc(0)));
    expect(bodies).toHaveLength(2);
  });

  it('are not searched for a part of an id, which is no error either', async () => {
    await owner.open('/deliveries');
    await activation().getByText('Delivered').waitFor();
    const creator = owner.page.getByRole('textbox', { name: 'Creator' });
    await creator.fill('crt_01m8');
    await creator.press('Enter');
    await owner.page.getByText('Enter the whole id').waitFor();
    expect(await owner.page.getByRole('alert').count()).toBe(0);
    expect(new URL(owner.page.url()).search).toBe('');
    await owner.page.getByRole('textbox', { name: 'Answer' }).fill('5xx');
    await owner.page.getByText('No matches').waitFor();
    await owner.page.getByRole('textbox', { name: 'Answer' }).fill('2xx');
    await activation().getByText('Delivered').waitFor();
  });

  it('say that nothing is undelivered when everything was', async () => {
    await owner.open('/deliveries?tab=undelivered');
    await owner.page.getByRole('tab', { name: 'Undelivered', selected: true }).waitFor();
    await owner.page.getByText('Nothing yet').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('are all sent again by "Replay all matching", after a question that says how many, with progress to the end', async () => {
    const sentTimes = () =>
      receiver.received.filter(({ body }) => body.includes('"type":"protection.activated"')).length;
    const before = sentTimes();
    await owner.open('/deliveries?type=protection.activated');
    await owner.button('Replay all matching').click();
    const dialog = owner.alertdialog('Replay deliveries');
    await dialog.getByText('1 delivery', { exact: true }).waitFor();
    await dialog.getByText('1 of them was delivered before.').waitFor();
    const named = await dialog.getByRole('list', { name: 'Endpoints' }).getByRole('listitem').allTextContents();
    expect(named).toEqual([new URL(receiver.url).host + new URL(receiver.url).pathname]);
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => expect(sentTimes()).toBe(before + 1));
    const progress = owner.page.getByRole('progressbar', { name: 'Replay' });
    await progress.waitFor();
    await owner.page.getByText('1 of 1, completed').waitFor();
    expect(await progress.getAttribute('aria-valuenow')).toBe('100');
    await owner.button('Replay all matching').waitFor();
    await owner.page.reload();
    await owner.page.getByText('1 of 1, completed').waitFor();
    expect(await accessibilityFindings(owner.page)).toEqual([]);
    expect(owner.problems).toEqual([]);
  });
});
