import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { accessibilityFindings } from './support/accessibility.js';
import { type AgencyApi, agencyApi, eligibleCreator, type ListedCreator } from './support/agency-api.js';
import { createKey } from './support/flows.js';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard({ CASE_SYNC_EVERY: '2s' });

describe('The page of a creator', () => {
  let owner: Visitor;
  let api: AgencyApi;
  let creator: ListedCreator;

  beforeAll(async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/keys');
    api = agencyApi(dashboard.apiUrl, await createKey(owner, 'Creators'));
    creator = await eligibleCreator(api);
    await owner.leave();
  });
  afterEach(() => owner.leave());

  it('says which records the platform has to mend (D65)', async () => {
    const bad = { leak_id: 'leak_bad', status: 'x'.repeat(201) };
    await dashboard.platform.control('POST', `/creators/${creator.svc_user_id}/leaks`, bad);
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', `/creators/${creator.id}`);
    await owner.row('Left out', 'leak_bad').getByText('status is not a text of 1 to 200 characters').waitFor();
    expect(await accessibilityFindings(owner.page)).toEqual([]);
    await owner.go('Creators');
    await owner.row('Left out', 'leak_bad').getByRole('link', { name: creator.id }).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('says of each interval which events made it, and links every id', async () => {
    const protect = (status: string) => api('PUT', `/v1/creators/${creator.id}/protection`, { status });
    await protect('active');
    const scan = await api<{ id: string }>('POST', `/v1/creators/${creator.id}/scans`, {});
    await protect('paused');
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', `/creators/${creator.id}?part=intervals`);
    const { page } = owner;
    const interval = owner.row('Protection intervals', 'Api request').last();
    await interval.waitFor();
    expect((await interval.textContent())?.match(/ UTC/g)).toHaveLength(2);
    expect(await interval.getByRole('link', { name: 'Creators' }).count()).toBe(2);
    const paused = await interval.locator('a[href*="part=timeline"]').last();
    const event = (await paused.textContent()) ?? '';
    await paused.click();
    await owner.row('Timeline', event).getByText('protection paused').waitFor();
    await page.setViewportSize({ width: 1_280, height: 400 });
    await page.getByRole('tab', { name: 'Scans' }).click();
    const link = owner.row('Scans', scan.id).getByRole('link', { name: scan.id });
    await link.waitFor();
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
    await link.click();
    await owner.row('Found', 'queued').waitFor();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByText('Nothing yet').waitFor();
    await owner.go('Creators');
    const row = owner.row('Creators', creator.display_name);
    await row.getByText(creator.external_id).waitFor();
    await row.getByRole('link', { name: creator.display_name }).click();
    await owner.heading(creator.display_name).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('shows all that has happened to a case, page by page', async () => {
    const leak = 'leak_often';
    await dashboard.platform.control('POST', `/creators/${creator.svc_user_id}/leaks`, { leak_id: leak });
    const cases = `/v1/creators/${creator.id}/cases`;
    const read = () => api<{ data: readonly { id: string; leak_id: string }[] }>('GET', cases);
    for (let change = 0; change < 55; change++) {
      await dashboard.platform.control('PATCH', `/leaks/${leak}`, { status: `Status ${change}` });
      await read();
    }
    const found = (await read()).data.find(({ leak_id }) => leak_id === leak)?.id ?? '';
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', `/creators/${creator.id}?record=${found}`);
    const rows = owner.page.getByRole('table', { name: 'Found' }).getByRole('row');
    const record = owner.page.locator('main').getByRole('button', { name: 'Next' }).first();
    await rows.nth(50).waitFor();
    expect(await owner.row('Found', 'opened').count()).toBe(0);
    await record.click();
    await owner.row('Found', 'opened').waitFor();
    await owner.page.reload();
    await owner.row('Found', 'opened').waitFor();
    await owner.page.goBack();
    await rows.nth(50).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('is found from anywhere by the beginning of a word of its name', async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/events');
    const { page } = owner;
    await page.keyboard.press('/');
    const search = page.getByRole('combobox', { name: 'Search' });
    const word = creator.display_name.split(' ').at(-1)?.slice(0, 4).toUpperCase() ?? '';
    await page.keyboard.type(word);
    const option = page.getByRole('option', { name: creator.display_name });
    await option.waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await option.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Usage' }).focus();
    await page.keyboard.press('Control+k');
    await option.waitFor();
    expect(await search.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Enter');
    await owner.heading(creator.display_name).waitFor();
    expect(await search.inputValue()).toBe('');
    await owner.go('Creators');
    await page.getByRole('textbox', { name: 'Name, external ID or profile' }).fill(word);
    await page.waitForURL(/text=/);
    await owner.row('Creators', creator.display_name).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('opens its cases from each number, with filters in the address', async () => {
    await dashboard.platform.control('POST', `/creators/${creator.svc_user_id}/leaks`, {
      ...{ leak_id: 'leak_removed', url: 'https://removed.example/one', status_code: 'removed' },
    });
    await api('GET', `/v1/creators/${creator.id}/cases`);
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', `/creators/${creator.id}`);
    const { page } = owner;
    const cases = page.getByRole('region', { name: 'Cases by status' });
    await cases.getByText('Removed').waitFor();
    await page.getByText('Protection: ').first().waitFor();
    await page.getByText('Eligible', { exact: true }).waitFor();
    await cases.locator('a[href*="status=removed"]').click();
    await owner.heading(`Cases of ${creator.display_name}`).waitFor();
    await owner.row('Cases', 'removed.example').first().waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('removed');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Site' }).fill('none.example');
    await page.getByText('No matches').waitFor();
    await page.reload();
    await page.getByText('No matches').waitFor();
    await owner.button('Clear filters').click();
    await owner.row('Cases', 'removed.example').first().getByRole('link').first().click();
    await owner.row('Found', 'opened').waitFor();
    expect(owner.problems).toEqual([]);
  });
});
