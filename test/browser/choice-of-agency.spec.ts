import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { accessibilityFindings } from './support/accessibility.js';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

describe('The choice of an agency', () => {
  let visitor: Visitor;

  afterEach(() => visitor.leave());

  const agencyInAddress = () => new URL(visitor.page.url()).searchParams.get('agency');

  it('is by its id for an operator, with the keyboard, and opens the page that was asked for', async () => {
    visitor = await Visitor.signedIn(dashboard.url, 'Priya Raman', '/deliveries?status=failed');
    await visitor.heading('Choose an agency').waitFor();
    expect(await accessibilityFindings(visitor.page)).toEqual([]);
    await visitor.page.getByRole('textbox', { name: 'Agency id' }).focus();
    await visitor.page.keyboard.type('agency_demo');
    await visitor.page.keyboard.press('Enter');
    await visitor.heading('Deliveries').waitFor();
    expect(agencyInAddress()).toBe('agency_demo');
    expect(await visitor.page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('failed');

    await visitor.button('Account').click();
    await visitor.page.getByRole('menuitem', { name: 'Choose another agency' }).click();
    await visitor.heading('Choose an agency').waitFor();
    expect(agencyInAddress()).toBeNull();
  });

  it('is among those of a person of two', async () => {
    const person = { name: 'Ines Duarte', title: 'of two agencies', agency_id: ['agency_demo', 'agency_harbour'] };
    await dashboard.platform.control('PATCH', `/people/${randomUUID()}`, person);
    visitor = await Visitor.arrive(dashboard.url, { width: 360 });
    await visitor.open('/keys');
    await visitor.page.getByRole('button', { name: 'Ines Duarte' }).click();
    await visitor.heading('Choose an agency').waitFor();
    expect(await accessibilityFindings(visitor.page)).toEqual([]);
    expect(await visitor.pageWidth()).toBe(360);
    const choice = visitor.page.getByRole('combobox', { name: 'Agency', exact: true });
    await choice.selectOption('Harbour Talent');
    await visitor.heading('API keys').waitFor();
    expect(agencyInAddress()).toBe('agency_harbour');
    await choice.selectOption('Northlight Talent');
    await visitor.heading('Overview').waitFor();
    expect(agencyInAddress()).toBe('agency_demo');
  });

  it.each(['Jonas Weber', 'Aiko Tanaka'] as const)('is not offered to %s, who may see none', async (person) => {
    visitor = await Visitor.signedIn(dashboard.url, person);
    await visitor.heading('No agency').waitFor();
    expect(await accessibilityFindings(visitor.page)).toEqual([]);
    expect(await visitor.page.getByRole('combobox').count()).toBe(0);
    expect(await visitor.page.getByRole('textbox').count()).toBe(0);
  });
});
