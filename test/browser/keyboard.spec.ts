import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../e2e/support/eventually.js';
import { Receiver } from '../e2e/support/receiver.js';
import { Dashboard } from './support/dashboard.js';
import { protectACreator } from './support/flows.js';
import { closeBrowser, Visitor } from './support/visitor.js';

const MAX_STEPS = 60;

describe('With the keyboard alone', () => {
  let dashboard: Dashboard;
  let owner: Visitor;
  let receiver: Receiver;

  beforeAll(async () => {
    dashboard = await Dashboard.start();
    receiver = await Receiver.start();
    owner = await Visitor.arrive(dashboard.url);
  });
  afterAll(async () => {
    await owner.leave();
    await closeBrowser();
    await dashboard.stop();
  });

  const focused = () => owner.page.evaluate<string>('document.activeElement.textContent');
  /** Goes on with Tab until the focus is on what has this text, and presses Enter. */
  const press = async (text: string) => {
    for (let step = 0; step < MAX_STEPS; step++) {
      await owner.page.keyboard.press('Tab');
      if ((await focused()) === text) return owner.page.keyboard.press('Enter');
    }
    throw new Error(`${MAX_STEPS} times Tab did not lead to "${text}"`);
  };

  it('an owner signs in', async () => {
    await owner.open('/');
    await owner.page.getByRole('button', { name: 'Nora Lindgren' }).waitFor();
    await owner.page.keyboard.press('Tab');
    await owner.page.keyboard.press('Enter');
    await owner.heading('Overview').waitFor();
  });

  it('binds the agency', async () => {
    await owner.button('Bind this agency').waitFor();
    await press('Bind this agency');
    await owner.alertdialog('Bind this agency').waitFor();
    await press('Confirm binding');
    await owner.button('Bind this agency').waitFor({ state: 'detached' });
  });

  it('creates a key, and revokes it', async () => {
    await press('API keys');
    await owner.heading('API keys').waitFor();
    await press('Create key');
    await owner.dialog('Create key').waitFor();
    await owner.page.keyboard.type('By keyboard');
    await owner.page.keyboard.press('Enter');
    await owner.dialog('Key created').waitFor();
    await press('I have stored it');
    await owner.row('API keys', 'By keyboard').waitFor();
    expect(await focused()).toBe('Create key');
    await press('Revoke');
    await owner.alertdialog('Revoke key').waitFor();
    await press('Revoke');
    await owner.row('API keys', 'By keyboard').getByText('Revoked').waitFor();
  });

  it('adds an endpoint', async () => {
    await press('Webhooks');
    await owner.heading('Webhooks').waitFor();
    await press('Add endpoint');
    await owner.dialog('Add endpoint').waitFor();
    await owner.page.keyboard.type(receiver.url);
    await owner.page.keyboard.press('Enter');
    await owner.dialog('Secret created').waitFor();
    await press('I have stored it');
    await owner.row('Endpoints', receiver.url).waitFor();
  });

  it('replays a delivery', async () => {
    await press('API keys');
    await owner.heading('API keys').waitFor();
    await press('Create key');
    await owner.dialog('Create key').waitFor();
    await owner.page.keyboard.type('Writer');
    await owner.page.keyboard.press('Tab');
    await owner.page.keyboard.press('ArrowDown');
    await owner.page.keyboard.press('Enter');
    const created = owner.dialog('Key created');
    await protectACreator(dashboard.apiUrl, await created.getByRole('textbox', { name: 'Secret' }).inputValue());
    await press('I have stored it');
    await press('Deliveries');
    await owner.row('Deliveries', 'protection.activated').getByText('Delivered').waitFor();
    const sent = () => receiver.events.filter(({ type }) => type === 'protection.activated');
    expect(sent()).toHaveLength(1);
    await press('Replay');
    await eventually(async () => expect(sent()).toHaveLength(2));
    expect(owner.problems).toEqual([]);
  });
});
