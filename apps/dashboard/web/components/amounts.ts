const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const money = (cents: number | null, currency: string): string =>
  cents === null ? 'No price' : new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100);

/** A share in minor units to six decimals, as the server computed it: it is shown, and never added up. */
export const share = (cents: string | null): string => (cents === null ? '–' : `${cents} ct`);

const padded = (count: number, length = 2): string => String(count).padStart(length, '0');

/** Milliseconds as days, hours, minutes and seconds, exactly. */
export const duration = (ms: number): string => {
  const clock = [Math.floor((ms % DAY) / HOUR), Math.floor((ms % HOUR) / MINUTE), Math.floor((ms % MINUTE) / SECOND)];
  return `${Math.floor(ms / DAY)} d ${clock.map((part) => padded(part)).join(':')}.${padded(ms % SECOND, 3)}`;
};

/** The months up to the present one in UTC, the newest first. */
export const latestMonths = (now: Date, count = 24): readonly string[] =>
  Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
