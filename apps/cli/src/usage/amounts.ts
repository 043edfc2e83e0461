import type { UsageDocument } from '#audit';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';

/** Minor units as a reader writes them, `12.34 EUR`; a dash if no price is configured. */
export const money = (cents: number | null, currency: string): string =>
  cents === null ? '–' : `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} ${currency}`;

/** The end of a usage's first sentence, which names the price. */
export const pricedAt = ({ per_creator_month_cents: cents, currency }: UsageDocument['price']): string =>
  cents === null
    ? '. No price is configured.'
    : `, at ${money(cents, currency)} for a creator month. This is an estimate, not an invoice.`;

/** Milliseconds as days, hours, minutes and seconds, exactly. */
export const length = (milliseconds: number): string => {
  const size = Math.abs(milliseconds);
  const clock = [
    Math.floor((size % DAY) / HOUR),
    Math.floor((size % HOUR) / MINUTE),
    Math.floor((size % MINUTE) / SECOND),
  ]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const rest = String(size % SECOND).padStart(3, '0');
  return `${milliseconds < 0 ? '-' : ''}${Math.floor(size / DAY)}d ${clock}.${rest}`;
};

export const instant = (at: number): string => new Date(at).toISOString();
