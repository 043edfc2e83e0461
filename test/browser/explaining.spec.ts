import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, TIMEOUT_FACTOR } from '#testing';
import { accessibilityFindings } from './support/accessibility.js';
import { type AgencyApi, agencyApi, eligibleCreator, type ListedCreator } from './support/agency-api.js';
import { bind, createKey } from './support/flows.js';
import { startDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startDashboard({ PRICE_PER_CREATOR_MONTH_CENTS: '2900', CASE_SYNC_EVERY: '2s' });

/** Runs in the page: keeps what the page hears from its other tabs. */
const LISTEN = `window.announced = [];
  new BroadcastChannel('creator-protection-live /dashboard/api/live').onmessage = ({ data }) => window.announced.push(...data);`;

/** A browser without a screen never hides a page. */
const VISIBILITY = (state: 'hidden' | 'visible') =>
  `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
  document.dispatchEvent(new Event('visibilitychange'));`;

describe('The pages that explain', () => {
  let owner: Visitor;
  let api: AgencyApi;
  let creator: ListedCreator;

  const protect = (status: string) => api('PUT', `/v1/creators/${creator.id}/protection`, { status });

  beforeAll(async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
    await bind(owner);
    await owner.go('API keys');
    api = agencyApi(dashboard.apiUrl, await createKey(owner, 'explained'));
    creator = await eligibleCreator(api);
    await protect('active');
    await protect('paused');
    await owner.leave();
  });
  afterEach(() => owner.leave());

  it('lead from a month to the two events of an interval', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/usage');
    await owner.row('Usage by creator', creator.display_name).getByRole('link').click();
    await owner.heading(creator.display_name).waitFor();
    const interval = owner.page.getByRole('table', { name: 'Intervals' });
    expect(await interval.innerText()).toContain('Api request by');
    await owner.page.getByRole('link', { name: 'The creator' }).click();
    await owner.page.getByRole('table', { name: 'Timeline' }).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('make a signed statement, which can be fetched', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/usage');
    await owner.button('Make the statement').click();
    const link = owner.page.getByRole('link', { name: /^Download the statement/ });
    await link.waitFor();
    const download = owner.page.waitForEvent('download');
    await link.click();
    expect((await download).suggestedFilename()).toMatch(/^usage-statement-\d{4}-\d\d\.json$/);
  });

  it('show what happens without a reload, in eight tabs over one connection, and in those that are left', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/usage');
    const connected: Page[] = [];
    owner.context.on('request', (request) => {
      if (request.url().endsWith('/dashboard/api/live')) connected.push(request.frame().page());
    });
    await owner.open('/creators?protection_status=active');
    const tabs = [owner.page];
    while (tabs.length < 8) tabs.push(await owner.context.newPage());
    const row = (page: Page) => page.getByRole('table', { name: 'Creators' }).getByText(creator.display_name);
    for (const page of tabs) {
      await page.goto(`${dashboard.url}/creators?protection_status=active`);
      await page.getByText('No matches').waitFor();
      await page.evaluate(LISTEN);
    }
    const before = connected.length;
    await protect('active');
    for (const page of tabs) await row(page).waitFor();
    expect(connected.length).toBe(before);
    const leader = connected.at(-1);
    for (const page of tabs.filter((tab) => tab !== leader)) {
      expect(await page.evaluate<string[]>('window.announced')).toContain('creators');
    }

    await leader?.close();
    const left = tabs.filter((tab) => tab !== leader);
    await eventually(() => expect(left).toContain(connected.at(-1)));
    await protect('paused');
    for (const page of left) await row(page).waitFor({ state: 'detached' });
    expect(connected.length).toBe(before + 1);
  });

  it('are right a second after they are shown again, an hour later', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
    const { page } = owner;
    await page.clock.install();
    await owner.open('/creators?protection_status=active');
    await page.getByText('No matches').waitFor();
    await page.evaluate(VISIBILITY('hidden'));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.fastForward('01:00:00');
    await protect('active');
    expect(asked).toEqual([]);
    const began = performance.now();
    await page.evaluate(VISIBILITY('visible'));
    await page.getByRole('table', { name: 'Creators' }).getByText(creator.display_name).waitFor();
    expect(performance.now() - began).toBeLessThan(1_000 * TIMEOUT_FACTOR);
    await protect('paused');
  });

  it('show operators the line of their tool, and nobody else', async () => {
    const lines = [
      ['/requests', 'keys refused --agency agency_demo'],
      [`/creators/${creator.id}`, `events history --creator ${creator.id}`],
      ['/usage?month=2026-01', 'usage explain --month 2026-01 --agency agency_demo'],
      [
        '/usage?month=2026-01',
        'usage statement --month 2026-01 --out usage-statement-2026-01.json --agency agency_demo',
      ],
    ] as const;
    owner = await Visitor.signedIn(dashboard.url, 'Priya Raman', '/?agency=agency_demo');
    for (const [path, line] of lines) {
      await owner.open(`${path}${path.includes('?') ? '&' : '?'}agency=agency_demo`);
      await owner.page.getByText(`npm run -s cli -- ${line}`).waitFor();
    }
    await owner.leave();
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/requests');
    await owner.page.getByRole('table', { name: 'Calls by key' }).waitFor();
    expect(await owner.page.locator('main').innerText()).not.toContain('npm run -s cli');
  });

  it('say in an alert, with the request id, why a search did not work', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
    await owner.page.getByRole('combobox', { name: 'Search' }).fill('x'.repeat(2_049));
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('alert').getByText('Request id').waitFor();
    expect(await accessibilityFindings(owner.page)).toEqual([]);
  });

  it('are found from any id, with the keyboard', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren');
    await owner.page.getByRole('combobox', { name: 'Search' }).fill(creator.id);
    await owner.page.keyboard.press('Enter');
    await owner.heading(creator.display_name).waitFor();
    const { data } = await api<{ data: readonly { id: string }[] }>('GET', `/v1/creators/${creator.id}/cases`);
    const found = data[0]?.id ?? '';
    await owner.page.getByRole('combobox', { name: 'Search' }).fill(found);
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('heading', { name: found }).waitFor();
    await owner.row('Found', 'opened').waitFor();
    await owner.page.getByRole('combobox', { name: 'Search' }).fill('nobody');
    await owner.page.keyboard.press('Enter');
    await owner.page.getByText('Nothing found').waitFor();
    await owner.open('/keys');
    const link = await owner.page.getByRole('link', { name: 'explained' }).getAttribute('href');
    const key = link?.split('/').at(-1) ?? '';
    await owner.page.getByRole('combobox', { name: 'Search' }).fill(key);
    await owner.page.keyboard.press('Enter');
    await owner.heading('explained').waitFor();
    await owner.open('/keys/key_nobody');
    await owner.page.getByRole('alert').waitFor();
  });

  it('show the events of the feed, and one with its bytes and cause', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/events?type=protection.paused');
    const download = owner.page.waitForEvent('download');
    await owner.page.getByRole('link', { name: 'Export as CSV' }).click();
    expect((await download).suggestedFilename()).toBe('events.csv');
    await owner.row('Events', 'Protection stopped: api request').first().getByRole('link').first().click();
    await owner.page.getByRole('heading', { name: 'Bytes' }).waitFor();
    expect(await owner.page.locator('main').innerText()).toContain('creator.protectionPaused.v1');
    await owner.page.getByRole('link', { name: creator.display_name }).first().waitFor();
  });

  it('keep the filters of events in the address, one of which is a time with that of UTC', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/events');
    const { page } = owner;
    await page.getByRole('status', { name: 'Live' }).waitFor();
    const from = page.getByLabel('From', { exact: true });
    await from.fill('2040-01-02T03:04');
    await page.getByText('No matches').waitFor();
    const utc = new Date('2040-01-02T03:04').toISOString().slice(0, 16).replace('T', ' ');
    await page.getByText(`${utc} UTC`).waitFor();
    await page.reload();
    await page.getByText('No matches').waitFor();
    expect(await from.inputValue()).toBe('2040-01-02T03:04');
    await owner.button('Clear filters').click();
    await page.getByRole('table', { name: 'Events' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(owner.problems).toEqual([]);
  });
});
