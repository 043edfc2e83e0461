import { afterEach, describe, expect, it } from '@jest/globals';
import { Receiver } from '../e2e/support/receiver.js';
import { addEndpoint, createKey } from './support/flows.js';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

/** All that scripts of the page can read: runs there, and returns JSON. */
const READABLE = `(async () => {
  const databases = await indexedDB.databases();
  const cached = await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)));
  return JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, history.state, databases, cached]);
})()`;

describe('A session', () => {
  let visitor: Visitor;

  afterEach(() => visitor.leave());

  it('begins with a login by keyboard, and a deep link survives it with its filters', async () => {
    visitor = await Visitor.arrive(dashboard.url);
    const messages: string[] = [];
    visitor.page.on('console', (message) => messages.push(message.text()));
    await visitor.open('/deliveries?status=failed&answer=500');
    await visitor.page.getByRole('button', { name: 'Nora Lindgren' }).waitFor();
    await visitor.page.keyboard.press('Tab');
    await visitor.page.keyboard.press('Enter');
    await visitor.heading('Deliveries').waitFor();
    expect(new URL(visitor.page.url()).search).toBe('?status=failed&answer=500');
    expect(await visitor.page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('failed');
    expect(await visitor.page.getByRole('textbox', { name: 'Answer' }).inputValue()).toBe('500');
    expect(messages).toEqual([]);
  });

  it('that ends under an open page keeps what was typed', async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    await visitor.button('Create key').click();
    const name = visitor.dialog('Create key').getByRole('textbox', { name: 'Name' });
    await name.fill('Half typed');
    await visitor.context.clearCookies();
    await visitor.dialog('Create key').getByRole('button', { name: 'Create key' }).click();
    const opened = visitor.context.waitForEvent('page');
    await visitor.dialog('Session ended').getByRole('button', { name: 'Sign in again' }).click();
    const other = await opened;
    await other.getByRole('button', { name: 'Nora Lindgren' }).click();
    await visitor.dialog('Session ended').waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Half typed');
  });

  it('ends with "Sign out", also at the provider', async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    await visitor.button('Account').click();
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.page.getByText('Sign out of the sandbox too?').waitFor();
    await visitor.button('Sign out').click();
    await visitor.page.getByRole('button', { name: 'Nora Lindgren' }).waitFor();
    await visitor.open('/keys');
    await visitor.page.getByRole('button', { name: 'Nora Lindgren' }).waitFor();
  });

  it('leaves no secret in the browser, and after it ends Back shows nothing of the agency', async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    const addresses: string[] = [];
    visitor.context.on('request', (request) => addresses.push(request.url()));
    const key = await createKey(visitor, 'Only in memory');
    await visitor.go('Webhooks');
    const secret = await addEndpoint(visitor, (await Receiver.start()).url);
    const cookies = await visitor.context.cookies(dashboard.url);
    const session = cookies.find(({ name }) => name.startsWith('session-'))?.value ?? '';
    const readable = await visitor.page.evaluate<string>(READABLE);
    expect(JSON.parse(readable)).toContainEqual([]);
    for (const hidden of [key, secret, session]) {
      expect(hidden).toMatch(/^.{40,}$/);
      expect(`${readable} ${await visitor.page.content()} ${addresses.join(' ')}`).not.toContain(hidden);
    }

    await visitor.go('API keys');
    await visitor.row('API keys', 'Only in memory').waitFor();
    await visitor.button('Account').click();
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.button('Sign out').click();
    await visitor.page.getByText('Sign out of the sandbox too?').waitFor({ state: 'detached' });
    while (!visitor.page.url().startsWith(dashboard.url)) await visitor.page.goBack();
    await visitor.page.getByRole('button', { name: 'Nora Lindgren' }).waitFor();
    expect(await visitor.page.content()).not.toContain('Only in memory');
  });

  it('shows "Page not found" for a path that is none', async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/nowhere');
    await visitor.heading('Page not found').waitFor();
  });

  it('of an operator is for the agency of the link', async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Priya Raman', '/keys?agency=agency_demo');
    await visitor.heading('API keys').waitFor();
    await visitor.page.getByText('Northlight Talent').first().waitFor();
    expect(await visitor.button('Create key').count()).toBe(0);
    await visitor.go('Webhooks');
    expect(new URL(visitor.page.url()).searchParams.get('agency')).toBe('agency_demo');
    await visitor.go('Events');
    expect(await visitor.button('Clear filters').count()).toBe(0);
    await visitor.page.getByRole('combobox', { name: 'Type' }).selectOption('scan.failed');
    await visitor.button('Clear filters').click();
    await visitor.button('Clear filters').waitFor({ state: 'detached' });
    expect(new URL(visitor.page.url()).search).toBe('?agency=agency_demo');
  });
});
