const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;
const RECENT = 30 * DAY_MS;

/** Formats epoch milliseconds for a local time input: `2026-11-26T09:05`. */
export const localInput = (milliseconds: string | undefined): string => {
  const at = new Date(milliseconds === undefined || milliseconds === '' ? Number.NaN : Number(milliseconds));
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
};

export const inUtc = (milliseconds: string | undefined): string | undefined =>
  localInput(milliseconds) === ''
    ? undefined
    : `${new Date(Number(milliseconds)).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const timeOfInput = (text: string): string | undefined => {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : `${at}`;
};

const DATE = { dateStyle: 'medium' } as const;
const DATE_AND_TIME = { ...DATE, timeStyle: 'medium' } as const;
const local = new Intl.DateTimeFormat('en-GB', DATE_AND_TIME);
const localDay = new Intl.DateTimeFormat('en-GB', DATE);
const utc = new Intl.DateTimeFormat('en-GB', { ...DATE_AND_TIME, timeZone: 'UTC' });

export const dayOf = (at: number): string => localDay.format(at);

export const utcTime = (at: number): string => `${utc.format(at)} UTC`;

/** Both zones, for those who compare with a log. */
export const exactTime = (at: number): string => `${local.format(at)} (${utcTime(at)})`;

const UNITS = [
  [DAY_MS, 'd', 24, HOUR, 'h'],
  [HOUR, 'h', 60, MINUTE, 'min'],
  [MINUTE, 'min', 60, SECOND, 's'],
] as const;

/** Rounded as people say it: `2 d 4 h`, `3 min`, `40 s`, `120 ms`. `parts` limits how exact it is. */
export const duration = (ms: number | null, parts: 1 | 2 = 2): string => {
  if (ms === null) return '–';
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  const found = UNITS.find(([unit]) => ms >= unit);
  if (found === undefined) return `${Math.floor(ms / SECOND)} s`;
  const [unit, name, perUnit, smaller, smallerName] = found;
  const whole = Math.floor(ms / unit);
  const rest = Math.floor(ms / smaller) % perUnit;
  return parts === 1 || rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${smallerName}`;
};

/** `3 min ago`, `in 2 h`, or the day of a time that is more than a month away. */
export const ago = (at: number, now: number): string => {
  const distance = Math.abs(now - at);
  if (distance < 10 * SECOND) return 'just now';
  if (distance >= RECENT) return dayOf(at);
  return at < now ? `${duration(distance, 1)} ago` : `in ${duration(distance, 1)}`;
};

export const number = (value: number): string => value.toLocaleString('en');

const plurals = new Intl.PluralRules('en');

/** `1 delivery`, `2 deliveries`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${plurals.select(value) === 'one' ? one : many}`;

export const money = (cents: number | null, currency: string): string =>
  cents === null ? 'No price' : new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100);

export const percent = (part: number): string => `${Math.floor(part * 1_000) / 10} %`;

/** `pending_onboarding` as `Pending onboarding`. */
export const words = (code: string | null): string => {
  if (code === null) return '–';
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** An endpoint by its host and path. */
export const endpointName = (url: string): string => url.replace(/^https?:\/\//, '').replace(/[?#].*$/, '');

const monthAndYear = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-11` as `November 2026`. */
export const monthName = (month: string): string => monthAndYear.format(Date.parse(month));

export const latestMonths = (now: Date, count = 24): readonly string[] =>
  Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
