import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#testing';
import { accessibilityFindings } from './support/accessibility.js';
import { startBoundDashboard, startDashboard } from './support/start-dashboard.js';
import { type View, Visitor } from './support/visitor.js';

const dashboard = await startDashboard();
const bound = await startBoundDashboard();

const PAGES = ['Overview', 'API keys', 'Webhooks', 'Deliveries', 'Events', 'Requests', 'Creators', 'Usage', 'Billing'];
/** With names and data on them, the pages are checked in both themes by `names.spec.ts`. */
const VIEWS: readonly Required<View>[] = [
  { colorScheme: 'light', width: 1_280 },
  { colorScheme: 'dark', width: 360 },
];

describe('Each page', () => {
  let owner: Visitor;

  afterEach(() => owner.leave());

  const go = async (name: string, width: number) => {
    if (width < 768) await owner.button('Navigation').click();
    await owner.go(name);
    // A page may load several parts.
    const loading = owner.page.getByRole('status', { name: 'Loading' });
    await eventually(async () => expect(await loading.count()).toBe(0));
  };

  it.each(VIEWS)('is accessible, and has no horizontal scroll bar: $colorScheme, $width pixels', async (view) => {
    owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/', view);
    for (const name of PAGES) {
      await go(name, view.width);
      expect([name, await accessibilityFindings(owner.page)]).toEqual([name, []]);
      expect(await owner.pageWidth()).toBe(view.width);
      const { x, width } = (await owner.button('Account').boundingBox()) ?? { x: view.width, width: 0 };
      expect(x + width).toBeLessThan(view.width);
    }
    expect(owner.problems).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'has accessible dialogs and menus, and breaks no policy: %s',
    async (colorScheme) => {
      owner = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/', { colorScheme });
      await owner.button('Bind this agency').click();
      await owner.alertdialog('Bind this agency').waitFor();
      expect(await accessibilityFindings(owner.page)).toEqual([]);
      await owner.leave();
      owner = await Visitor.signedIn(bound.url, 'Nora Lindgren', '/', { colorScheme });
      await owner.go('Webhooks');
      await owner.button('Add endpoint').click();
      await owner.dialog('Add endpoint').waitFor();
      expect(await accessibilityFindings(owner.page)).toEqual([]);
      await owner.page.keyboard.press('Escape');
      await owner.go('API keys');
      await owner.button('Create key').click();
      await owner.dialog('Create key').waitFor();
      expect(await accessibilityFindings(owner.page)).toEqual([]);
      await owner.page.keyboard.press('Escape');
      await owner.button('Account').click();
      await owner.page.getByRole('menuitem', { name: colorScheme === 'dark' ? 'Light theme' : 'Dark theme' }).waitFor();
      expect(await accessibilityFindings(owner.page)).toEqual([]);
      await owner.page.getByRole('menuitem', { name: 'Dark theme' }).click();
      expect(await accessibilityFindings(owner.page)).toEqual([]);
      expect(owner.problems).toEqual([]);
    },
  );
});
