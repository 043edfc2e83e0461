import { beforeAll, describe, expect, it } from '@jest/globals';
import { Receiver } from '../e2e/support/receiver.js';
import { agencyApi, eligibleCreator } from './support/agency-api.js';
import { addEndpoint, createKey } from './support/flows.js';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

const ROWS = 50;
const ROW = '[...document.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect())';

describe('A list of 50 deliveries', () => {
  let owner: Visitor;

  beforeAll(async () => {
    const receiver = await Receiver.start();
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/webhooks');
    await addEndpoint(owner, receiver.url);
    await owner.go('API keys');
    const api = agencyApi(dashboard.apiUrl, await createKey(owner, 'Deliveries'));
    const { id } = await eligibleCreator(api);
    for (let change = 0; change <= ROWS; change++) {
      await api('PATCH', `/v1/creators/${id}`, { aliases: [`Alias ${change}`] });
    }
    await owner.go('Deliveries');
    await owner.page.getByRole('table').getByRole('row').nth(ROWS).waitFor();
  });

  const at = (width: number, height: number) => owner.page.setViewportSize({ width, height });
  const measure = (expression: string) => owner.page.evaluate<number>(expression);

  it('has a line of 40 pixels for each row, 16 of them in sight, in at most 1,500 elements', async () => {
    await at(1_440, 900);
    expect(await measure(`${ROW}.filter(({ bottom }) => bottom <= innerHeight).length`)).toBeGreaterThanOrEqual(16);
    expect(await measure(`Math.max(...${ROW}.map(({ height }) => Math.round(height)))`)).toBe(40);
    expect(await measure('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1_500);
  });

  it('wraps nothing and is as wide as the window at 1100 pixels', async () => {
    await at(1_100, 900);
    expect(await measure(`Math.max(...${ROW}.map(({ height }) => Math.round(height)))`)).toBe(40);
    expect(await owner.pageWidth()).toBe(1_100);
  });

  it('has cards of three lines at 360 pixels, 25 of which take at most 4,000', async () => {
    await at(360, 780);
    expect(await measure(`Math.max(...${ROW}.map(({ height }) => height))`)).toBeLessThan(100);
    expect(await measure(`${ROW}[24].bottom + window.scrollY`)).toBeLessThanOrEqual(4_000);
    expect(await owner.pageWidth()).toBe(360);
  });

  it('is printed as a table, without navigation and buttons, also on narrow paper', async () => {
    await owner.page.emulateMedia({ media: 'print' });
    expect(
      await measure('[...document.querySelectorAll("nav, header, button")].filter((e) => e.checkVisibility()).length'),
    ).toBe(0);
    expect(await owner.page.evaluate<string>('getComputedStyle(document.querySelector("tbody tr")).display')).toBe(
      'table-row',
    );
    await owner.page.emulateMedia({ media: 'screen' });
  });

  it('has pages with their place, keeps the focus on the button, and goes back to the page before', async () => {
    await at(1_440, 900);
    const { page } = owner;
    await owner.button('Next').click();
    await page.getByText(/^51–\d+$/).waitFor();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Next');
    await page.reload();
    await page.getByText(/^51–\d+$/).waitFor();
    await owner.button('Previous').click();
    await page.getByText('1–50', { exact: true }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Previous');
    expect(owner.problems).toEqual([]);
  });

  it('shows the time in both zones to the keyboard too', async () => {
    const time = owner.page.getByRole('table').getByRole('time').first();
    await time.focus();
    await owner.page
      .locator('[popover]')
      .filter({ hasText: / UTC\)$/ })
      .waitFor();
    await owner.page.keyboard.press('Escape');
    await owner.page.locator('[popover]').waitFor({ state: 'hidden' });
  });
});

describe('A list of 50 cases', () => {
  it('has 16 rows in sight, and cards of three lines at 360 pixels', async () => {
    let owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    const api = agencyApi(dashboard.apiUrl, await createKey(owner, 'Cases'));
    await owner.leave();
    const { id, svc_user_id } = await eligibleCreator(api);
    const url = `https://${'a-long-name.'.repeat(8)}example/${'path/'.repeat(20)}`;
    await dashboard.platform.control('POST', `/creators/${svc_user_id}/leaks`, { count: ROWS, url });
    await api('GET', `/v1/creators/${id}/cases`);
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', `/creators/${id}/cases`);
    const measure = (expression: string) => owner.page.evaluate<number>(expression);
    await owner.page.getByRole('table').getByRole('row').nth(ROWS).waitFor();
    await owner.page.setViewportSize({ width: 1_440, height: 900 });
    expect(await measure(`${ROW}.filter(({ bottom }) => bottom <= innerHeight).length`)).toBeGreaterThanOrEqual(16);
    expect(await measure('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1_500);
    await owner.page.setViewportSize({ width: 1_100, height: 900 });
    expect(await measure(`Math.max(...${ROW}.map(({ height }) => Math.round(height)))`)).toBe(40);
    await owner.page.setViewportSize({ width: 360, height: 780 });
    expect(await measure(`Math.max(...${ROW}.map(({ height }) => height))`)).toBeLessThan(100);
    expect(await owner.pageWidth()).toBe(360);
    expect(owner.problems).toEqual([]);
  });
});
