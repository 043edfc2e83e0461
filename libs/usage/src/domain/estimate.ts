import type { Duration, Instant } from '#kernel';
import { type Month, monthOf, spanOf } from './month.js';

export abstract class UsageOptions {
  abstract readonly pricing: Pricing;
}

export interface Pricing {
  /** For one creator active for a whole month; undefined where no price is configured. */
  readonly perCreatorMonth: number | undefined;
  readonly minimumMonthly: number;
  readonly currency: 'EUR' | 'USD';
}

export interface Amounts {
  readonly subtotal: number;
  readonly minimum: number;
  readonly total: number;
}

const MICRO = 1_000_000n;

/** Active time as a share of the month's length, to six decimals, half up (D44). */
export const creatorMonths = (active: Duration, month: Month): number =>
  Number(dividedHalfUp(BigInt(active) * MICRO, BigInt(spanOf(month).length))) / Number(MICRO);

/** From the exact time, rounded half up once; null without a price (D44). The minimum counts from the first month (D81). */
export const amounts = (
  active: Duration,
  month: Month,
  pricing: Pricing,
  accountSince: Instant | null,
): Amounts | null => {
  if (pricing.perCreatorMonth === undefined) return null;
  const exact = BigInt(active) * BigInt(pricing.perCreatorMonth);
  const subtotal = Number(dividedHalfUp(exact, BigInt(spanOf(month).length)));
  const minimum = pricing.minimumMonthly;
  const isBeforeAccount = accountSince === null || month < monthOf(accountSince);
  return { subtotal, minimum, total: isBeforeAccount ? subtotal : Math.max(subtotal, minimum) };
};

/** In minor units to six decimals, as text: shown next to a sum that is rounded once, and never added up. */
export const shareOfAmount = (active: Duration, month: Month, { perCreatorMonth }: Pricing): string | null => {
  if (perCreatorMonth === undefined) return null;
  const micro = dividedHalfUp(BigInt(active) * BigInt(perCreatorMonth) * MICRO, BigInt(spanOf(month).length));
  return `${micro / MICRO}.${String(micro % MICRO).padStart(6, '0')}`;
};

const dividedHalfUp = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);
