import { describe, expect, it } from '@jest/globals';
import { startDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startDashboard();

describe('Billing', () => {
  let visitor: Visitor;

  it("shows the platform's payment methods, and comes back from its own page", async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/billing');
    await visitor.row('Payment methods', '4242').waitFor();
    await visitor.button('Manage payment methods').click();
    await visitor.page.waitForURL((url) => !url.pathname.startsWith('/dashboard'));
    await visitor.page.getByRole('link').or(visitor.page.getByRole('button')).last().click();
    await visitor.heading('Billing').waitFor();
    expect(visitor.page.url()).toBe(`${dashboard.url}/billing`);
    await visitor.leave();
  });

  it('is for the owner alone', async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Tomas Okafor', '/billing');
    await visitor.page.getByText('Only the owner of the agency sees its billing.').waitFor();
    expect(await visitor.button('Manage payment methods').count()).toBe(0);
    await visitor.leave();
  });
});
