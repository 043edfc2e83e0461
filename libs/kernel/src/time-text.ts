import type { Instant } from './instant.js';

/** A date, or a date and a time in UTC or with an offset. It never depends on the time zone of the process. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/i;

/** The text as an ISO 8601 time; a date alone is its beginning in UTC. Undefined for a day that does not exist. */
export const parseTime = (text: string): Instant | undefined => {
  const at = ISO_8601.test(text) && isCalendarDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

/** `Date.parse` takes 30 February for 1 March, and day 0 of some years for a day of this century. */
const isCalendarDay = (date: string): boolean => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  if (day < 1 || month < 1 || month > 12) return false;
  return day <= 28 || day <= new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
};
