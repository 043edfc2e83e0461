import { type Branded, DAY, type Duration, type Instant } from '#kernel';

/** A day in UTC, as `YYYY-MM-DD`; in this form days sort as text. */
export type Day = Branded<'day'>;

export const dayOf = (at: Instant): Day => new Date(at).toISOString().slice(0, 10) as Day;

/** The part of a half-open interval in each UTC day, in order; none for an empty interval. */
export const splitByDay = (from: Instant, to: Instant): { readonly day: Day; readonly length: Duration }[] =>
  splitByDayStart(from, to).map(({ start, length }) => ({ day: dayOf(start), length }));

/** The same with the beginning of each day: its text costs more than all the rest. */
export const splitByDayStart = (
  from: Instant,
  to: Instant,
): { readonly start: Instant; readonly length: Duration }[] => {
  const shares = [];
  for (let start = Math.floor(from / DAY) * DAY; from < to && start < to; start += DAY) {
    shares.push({ start, length: Math.min(to, start + DAY) - Math.max(from, start) });
  }
  return shares;
};
