import { describe, expect, it } from '@jest/globals';
import { DAY, SECOND } from '#kernel';
import { amounts, creatorMonths, shareOfAmount } from './estimate.js';
import { type Month, spanOf } from './month.js';

const november = '2026-11' as Month;
const whole = spanOf(november).length;
const priced = (perCreatorMonth: number | undefined, minimumMonthly = 0) =>
  ({ perCreatorMonth, minimumMonthly, currency: 'EUR' }) as const;

describe('creator months', () => {
  it('are shares of the very month', () => {
    expect(creatorMonths(whole, november)).toBe(1);
    expect(creatorMonths(15 * DAY, november)).toBe(0.5);
    expect(creatorMonths(28 * DAY, '2027-02' as Month)).toBe(1);
    expect(creatorMonths(29 * DAY, '2028-02' as Month)).toBe(1);
    expect(creatorMonths(0, november)).toBe(0);
  });

  it('D44: are shown to six decimals, half up', () => {
    // A millionth of 30 days is 2,592 milliseconds.
    expect(creatorMonths(1_295, november)).toBe(0);
    expect(creatorMonths(1_296, november)).toBe(0.000001);
    expect(creatorMonths(3_887, november)).toBe(0.000001);
    expect(creatorMonths(3_888, november)).toBe(0.000002);
  });
});

describe('amounts', () => {
  it('D44: are null as long as no price is configured', () => {
    expect(amounts(whole, november, priced(undefined, 5_000), 0)).toBeNull();
  });

  it('D44: come from the exact time, not from the shown share, and are rounded half up once', () => {
    // 12,345.67 euros: a share cut to six decimals would be a cent off.
    expect(amounts(SECOND, november, priced(1_234_567), 0)?.subtotal).toBe(0);
    expect(amounts(1_050, november, priced(1_234_567), 0)?.subtotal).toBe(1);
    expect(amounts(whole / 2, november, priced(1), 0)?.subtotal).toBe(1);
    expect(amounts(whole / 2 - 1, november, priced(1), 0)?.subtotal).toBe(0);
    expect(amounts(7 * whole, november, priced(999), 0)?.subtotal).toBe(6_993);
  });

  it('D44: stay exact if a product of time and price is more than a double holds', () => {
    const active = 100_000 * whole;
    expect(amounts(active, november, priced(99_999_999), 0)?.subtotal).toBe(9_999_999_900_000);
  });

  it('D44: are at least the minimum', () => {
    expect(amounts(whole, november, priced(1_000, 2_500), 0)).toEqual({
      subtotal: 1_000,
      minimum: 2_500,
      total: 2_500,
    });
    expect(amounts(3 * whole, november, priced(1_000, 2_500), 0)).toEqual({
      subtotal: 3_000,
      minimum: 2_500,
      total: 3_000,
    });
    expect(amounts(0, november, priced(0), 0)).toEqual({ subtotal: 0, minimum: 0, total: 0 });
  });
});

describe('D81: the minimum', () => {
  const pricing = priced(1_000, 2_500);
  const since = Date.parse('2026-11-30T23:59:59.999Z');

  it('is shown but not charged for months before the account', () => {
    const before = { subtotal: 0, minimum: 2_500, total: 0 };
    expect(amounts(0, '2026-10' as Month, pricing, since)).toEqual(before);
    expect(amounts(0, november, pricing, null)).toEqual(before);
  });

  it("applies in full from the account's first month on, however late in it the account began", () => {
    const applied = { subtotal: 0, minimum: 2_500, total: 2_500 };
    expect(amounts(0, november, pricing, since)).toEqual(applied);
    expect(amounts(0, '2026-12' as Month, pricing, since)).toEqual(applied);
  });
});

describe('the share of a creator', () => {
  it('is shown to six decimals, beyond what a double holds', () => {
    expect(shareOfAmount(whole, november, priced(1_234_567))).toBe('1234567.000000');
    expect(shareOfAmount(1, november, priced(1_234_567))).toBe('0.000476');
    expect(shareOfAmount(100_000 * whole + 1, november, priced(99_999_999))).toBe('9999999900000.038580');
  });

  it('is not known without a price', () => {
    expect(shareOfAmount(whole, november, priced(undefined))).toBeNull();
  });
});
