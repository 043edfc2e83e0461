import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY, HOUR, type Instant } from '#kernel';
import { eventually } from '#testing';
import { accessibilityFindings } from './support/accessibility.js';
import { END, type PastCreator, type PastCreators, pastMonth, START } from './support/past-month.js';
import { startDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const MONTH = new Date(START).toISOString().slice(0, 7);

let creators: PastCreators;
const settings = { PRICE_PER_CREATOR_MONTH_CENTS: '2900', SCAN_SCHEDULE_EVERY: '2400h' };
const dashboard = await startDashboard(settings, async (environment, platform) => {
  creators = await pastMonth(environment, platform);
});

describe('A month of usage', () => {
  let owner: Visitor;

  beforeAll(async () => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', `/usage?month=${MONTH}`);
  });

  /** From the month to the intervals of a creator: the text of each, with its times in UTC. */
  const intervalsOf = async ({ display_name }: PastCreator): Promise<string[]> => {
    await owner.open(`/usage?month=${MONTH}`);
    await owner.row('Usage by creator', display_name).getByRole('link').click();
    await owner.heading(display_name).waitFor();
    const table = owner.page.getByRole('table', { name: 'Intervals' });
    await table.waitFor();
    return (await table.getByRole('row').allInnerTexts()).slice(1);
  };
  const inUtc = (instant: Instant) => `${new Date(instant).toISOString().slice(11, 19)} UTC`;

  it('has shares of creators that add up to its amount', async () => {
    await owner.row('Usage by creator', creators.late.display_name).waitFor();
    const table = owner.page.getByRole('table', { name: 'Usage by creator' });
    const cells = await table.locator('[data-tip$=" ct"]').all();
    const tips = await Promise.all(cells.map((cell) => cell.getAttribute('data-tip')));
    const shares = tips.map((tip) => Number.parseFloat(tip ?? ''));
    const total = shares.reduce((sum, share) => sum + share, 0) / 100;
    const main = await owner.page.locator('main').innerText();
    expect([shares.length, main]).toEqual([4, expect.stringContaining(`Before the minimum\n€${total.toFixed(2)}`)]);
    expect(await table.getByRole('row').last().textContent()).toContain(`€${total.toFixed(2)}`);
    expect(await accessibilityFindings(owner.page)).toEqual([]);
  });

  it('prints its total below the shares that it adds up', async () => {
    await owner.open(`/usage?month=${MONTH}`);
    await owner.row('Usage by creator', creators.late.display_name).waitFor();
    await owner.page.emulateMedia({ media: 'print' });
    const table = owner.page.getByRole('table', { name: 'Usage by creator' });
    const shares = await table.locator('[data-column="Share"]').all();
    // The change of the medium is animated.
    await eventually(async () => {
      const ends = await Promise.all(
        shares.map(async (cell) => {
          const { x, width } = (await cell.boundingBox()) ?? { x: 0, width: 0 };
          return Math.round(x + width);
        }),
      );
      expect([ends.length, new Set(ends).size]).toEqual([6, 1]);
    });
    await owner.page.emulateMedia({ media: null });
  });

  it('is named, with its total first, and the agency on paper', async () => {
    const name = new Date(START).toLocaleString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await owner.open(`/usage?month=${MONTH}`);
    const month = owner.page.getByRole('region', { name, exact: true });
    await month.waitFor();
    const size = "getComputedStyle(document.querySelector('main dd')).fontSize";
    expect(await owner.page.evaluate<string>(size)).toBe('28px');
    const regions = await owner.page.locator('main').getByRole('region').all();
    const names = await Promise.all(regions.map((region) => region.getByRole('heading').innerText()));
    expect(names).toEqual([name, 'By creator', 'By day', 'Signed statement']);
    await owner.page.emulateMedia({ media: 'print' });
    const shown = await owner.page.locator('main').innerText();
    const before = "getComputedStyle(document.querySelector('h1'), '::before').content";
    expect(await owner.page.evaluate<string>(before)).toContain(await owner.heading().getAttribute('data-agency'));
    await owner.page.emulateMedia({ media: null });
    expect(shown).not.toContain('Signed statement');
    expect(await owner.heading().getAttribute('data-agency')).not.toBe('');
  });

  it('says that an unknown creator is not found', async () => {
    await owner.open(`/usage/crt_01m84shndyfewanvze4qf2ae58?month=${MONTH}`);
    await owner.page.getByRole('alert').waitFor();
    expect(await owner.page.getByText('was not active').count()).toBe(0);
  });

  it('counts a late pause until its end, and a pause at its border up to there', async () => {
    const [late] = await intervalsOf(creators.late);
    expect(late).toContain(inUtc(END + HOUR));
    expect(late).toContain('Counts in this month until');
    expect(late).toContain('1 d');
    const [atBorder] = await intervalsOf(creators.atBorder);
    expect(atBorder).toContain(inUtc(END));
    expect(atBorder).not.toContain('Counts in this month');
    expect(atBorder).toContain('1 d');
  });

  it('ends an interval when the clock showed it, where an earlier event is later by a clock that was ahead (D93)', async () => {
    const [interval] = await intervalsOf(creators.clockAhead);
    expect(interval).toContain(inUtc(START + DAY));
    expect(interval).toContain(inUtc(START + DAY + 2 * HOUR));
    expect(interval).toContain('2 h');
  });

  it('has both intervals of a creator that left and returned, and each leads to its two events', async () => {
    const [first, second] = await intervalsOf(creators.returned);
    expect(first).toContain('Membership ended by Process ');
    expect(second).toContain(inUtc(START + 4 * DAY + HOUR));
    expect(second).toContain('1 h');
    const links = owner.page.getByRole('table', { name: 'Intervals' }).locator('a[href*="part=timeline"]');
    expect(await links.count()).toBe(4);
    expect(await accessibilityFindings(owner.page)).toEqual([]);
    for (const [index, what] of [
      [0, 'Protection activated'],
      [1, 'Protection paused'],
    ] as const) {
      const id = (await links.nth(index).textContent()) ?? '';
      await links.nth(index).click();
      const event = owner.page.getByRole('table', { name: 'Timeline' }).getByRole('row').nth(1);
      await event.getByText(id).waitFor();
      expect(await event.innerText()).toContain(what);
      await owner.page.goBack();
    }
    expect(owner.problems).toEqual([]);
  });
});
