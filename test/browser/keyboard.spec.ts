import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#testing';
import { Receiver } from '../e2e/support/receiver.js';
import { protectACreator } from './support/flows.js';
import { startDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startDashboard();

const MAX_STEPS = 60;

describe('With the keyboard alone', () => {
  let owner: Visitor;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.start();
    owner = await Visitor.arrive(dashboard.url);
  });

  const focused = () => owner.page.evaluate<string>('document.activeElement.textContent');
  /** Goes on with Tab, or in a menu with an arrow, until the focus is on what has this text, and presses Enter. */
  const press = async (text: string, key = 'Tab') => {
    for (let step = 0; step < MAX_STEPS; step++) {
      await owner.page.keyboard.press(key);
      if ((await focused()) === text) return owner.page.keyboard.press('Enter');
    }
    throw new Error(`${MAX_STEPS} times ${key} did not lead to "${text}"`);
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
    await press('⋯');
    await owner.page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
    await press('Revoke', 'ArrowDown');
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
    await press('⋯');
    await owner.page.getByRole('menuitem', { name: 'Replay' }).waitFor();
    await press('Replay', 'ArrowDown');
    await eventually(async () => expect(sent()).toHaveLength(2));
    expect(owner.problems).toEqual([]);
  });
});
