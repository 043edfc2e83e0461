import { type Duration, type Instant, SECOND } from '#kernel';

const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The wait that a `Retry-After` requests, in seconds or until an HTTP date (RFC 9110, 10.2.3), or undefined. */
export const parseRetryAfter = (header: unknown, now: Instant): Duration | undefined => {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * SECOND;
  const until = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  // A day that does not exist is read as another one.
  if (Number.isNaN(until) || new Date(until).toUTCString().slice(5) !== header.slice(5)) return undefined;
  return Math.max(0, until - now);
};
