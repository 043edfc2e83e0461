import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Receiver } from '../e2e/support/receiver.js';
import { Dashboard } from './support/dashboard.js';
import { closeBrowser, Visitor } from './support/visitor.js';

const MAX_STEPS = 60;

describe('With the keyboard alone', () => {
  let dashboard: Dashboard;
  let owner: Visitor;

  beforeAll(async () => {
    dashboard = await Dashboard.start();
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
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

  it('an owner binds the agency', async () => {
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
    const receiver = await Receiver.start();
    await press('Webhooks');
    await owner.heading('Webhooks').waitFor();
    await press('Add endpoint');
    await owner.dialog('Add endpoint').waitFor();
    await owner.page.keyboard.type(receiver.url);
    await owner.page.keyboard.press('Enter');
    await owner.dialog('Secret created').waitFor();
    await press('I have stored it');
    await owner.row('Endpoints', receiver.url).waitFor();
    expect(owner.problems).toEqual([]);
  });
});
