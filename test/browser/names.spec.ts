import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#testing';
import { Receiver } from '../e2e/support/receiver.js';
import { accessibilityFindings } from './support/accessibility.js';
import { addEndpoint, createKey, protectACreator } from './support/flows.js';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

/** Without a place to break: as wide as letters are, and letters that run from right to left. */
const LETTERS = [
  ['wide', 'W', 'light'],
  ['right-to-left', 'ش', 'dark'],
] as const;
const WIDTH = 360;

describe('With names of 160 characters', () => {
  let owner: Visitor;
  let secret: string;
  let creatorId: string;

  beforeAll(async () => {
    const { platform } = dashboard;
    const person = LETTERS.map(([, letter]) => letter.repeat(80)).join('');
    const agency = await platform.control<{ owner_user_id: string }>('PATCH', '/agencies/agency_demo', {
      name: person,
    });
    await platform.control('PATCH', `/people/${agency.owner_user_id}`, { name: person });
    const receiver = await Receiver.start();
    receiver.answers(500);
    owner = await Visitor.arrive(dashboard.url, { width: WIDTH });
    await owner.open('/webhooks');
    await owner.page.getByRole('button', { name: person }).click();
    await addEndpoint(owner, `${receiver.url}&${'w'.repeat(160)}`);
    await owner.open('/keys');
    secret = await createKey(owner, 'Renames');
    creatorId = await protectACreator(dashboard.apiUrl, secret);
  });

  /** Opens a page, and waits for a text on it. */
  const open = async (path: string, text: string | RegExp) => {
    await owner.open(path);
    await owner.page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
    // A page may load several parts.
    const loading = owner.page.getByRole('status', { name: 'Loading' });
    await eventually(async () => expect(await loading.count()).toBe(0));
  };
  /** Follows the first link of the page that is to one of these. */
  const follow = async (path: string, text: string) => {
    await owner.page.locator(`main a[href*="/dashboard${path}"]`).first().click();
    await owner.page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
  };

  describe.each(LETTERS)('that are %s', (_, letter, colorScheme) => {
    const name = letter.repeat(160);

    beforeAll(async () => {
      await owner.page.emulateMedia({ colorScheme });
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      const creator = `${dashboard.apiUrl}/v1/creators/${creatorId}`;
      const body = JSON.stringify({ display_name: name });
      expect((await fetch(creator, { method: 'PATCH', headers, body })).status).toBe(200);
      expect((await fetch(`${creator}/${name}`, { headers })).status).toBe(404);
      await open('/keys', 'Renames');
      await createKey(owner, letter.repeat(80));
    });

    it.each<[string, () => Promise<void>]>([
      ['API keys', () => open('/keys', letter.repeat(80))],
      ['Overview', () => open('/', 'The agency is verified')],
      ['Webhooks', () => open('/webhooks', 'Failing')],
      ['one endpoint', () => follow('/webhooks/whe_', 'Failures by answer')],
      ['Deliveries', () => open('/deliveries?tab=undelivered', 'creator.updated')],
      ['one delivery', () => follow('/deliveries/whd_', 'Attempts')],
      ['Events', () => open('/events?type=creator.updated', 'creator.updated')],
      ['one event', () => follow('/events/evt_', name)],
      ['Requests', () => open('/requests', '404')],
      ['one request', () => follow('/requests/', 'What was wrong')],
      ['Creators', () => open('/creators', name)],
      ['one creator', () => open(`/creators/${creatorId}`, name)],
      ['Usage', () => open('/usage', name)],
      ['the usage of one creator', () => open(`/usage/${creatorId}`, /Api request/)],
      ['Billing', () => open('/billing', '4242')],
    ])('%s is as wide as the window, and accessible', async (_page, show) => {
      await show();
      expect([await owner.pageWidth(), await accessibilityFindings(owner.page)]).toEqual([WIDTH, []]);
      expect(owner.problems).toEqual([]);
    });

    it('the menu of the account is as wide as the window', async () => {
      await owner.button('Account').click();
      await owner.page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await owner.pageWidth()).toBe(WIDTH);
    });
  });
});
