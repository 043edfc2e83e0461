import { expect, test } from '@jest/globals';
import { DAY, MINUTE } from '#kernel';
import { refusedFields } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({
  env: { PRICE_PER_CREATOR_MONTH_CENTS: '3100', MINIMUM_MONTHLY_CENTS: '500', CURRENCY: 'USD' },
});

interface Usage {
  readonly month: string;
  readonly measured_through: string;
  readonly active_creator_count: number;
  readonly creator_seconds: number;
}

const monthNow = () => new Date(service.clock.now()).toISOString().slice(0, 7);

/** To noon of the first day of the next month. */
const nextMonth = () => {
  const now = new Date(service.clock.now());
  service.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12) - now.getTime());
};

test('usage of the current month is the active time until now, with its price (D44)', async () => {
  nextMonth();
  const agency = await service.agency();
  const creator = await agency.active();
  const began = service.clock.now();
  service.clock.advance(2 * DAY);
  const month = monthNow();
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const end = Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + 1);
  const months = Math.round(((2 * DAY) / (end - start)) * 1e6) / 1e6;
  const subtotal = Math.round((3_100 * 2 * DAY) / (end - start));
  expect(await agency.api.got('/v1/usage')).toEqual({
    month,
    period_start: new Date(start).toISOString(),
    period_end: new Date(end).toISOString(),
    measured_through: new Date(began + 2 * DAY).toISOString(),
    active_creator_count: 1,
    creator_seconds: (2 * DAY) / 1_000,
    creator_months: months,
    estimated_subtotal_cents: subtotal,
    minimum_monthly_cents: 500,
    estimated_total_cents: Math.max(subtotal, 500),
    currency: 'USD',
    estimate: true,
    simulated: false,
    scope: 'agency',
    billing_basis: 'active_api_scan_schedule',
  });
  await agency.api.protect(creator.id, 'paused');
});

test('linking an imported creator leaves its protection active, in the same interval (POST rule 4)', async () => {
  const agency = await service.agency();
  const userId = await agency.user();
  const [{ id = '' } = {}] = await agency.api.roster();
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
  service.clock.advance(10 * MINUTE);
  const linked = await agency.api.enroll(agency.linkBody(userId));
  expect([linked.outcome, linked.body]).toEqual(['201', expect.objectContaining({ id, protection_status: 'active' })]);
  service.clock.advance(10 * MINUTE);
  expect(await agency.api.got<Usage>('/v1/usage')).toMatchObject({ creator_seconds: 1_200, active_creator_count: 1 });
  const types = (await agency.publishedEvents()).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('protection.'))).toEqual(['protection.activated']);
});

test('months before the account are zero, the minimum is shown but not charged, and a future month is 400 (D44, D81)', async () => {
  const agency = await service.agency();
  expect(await agency.api.got<Usage>('/v1/usage?month=1999-02')).toMatchObject({
    creator_seconds: 0,
    creator_months: 0,
    active_creator_count: 0,
    estimated_subtotal_cents: 0,
    minimum_monthly_cents: 500,
    estimated_total_cents: 0,
    period_end: '1999-03-01T00:00:00.000Z',
    measured_through: '1999-03-01T00:00:00.000Z',
  });
  expect(refusedFields(await agency.api.get('/v1/usage?month=2999-01'))).toEqual(['month']);
});

test.each(['2026-13', '2026-1', 'now', '2026-01-01', ''])('%j is no month (D7)', async (month) => {
  const agency = await service.agency();
  expect(refusedFields(await agency.api.get(`/v1/usage?month=${month}`))).toEqual(['month']);
});
