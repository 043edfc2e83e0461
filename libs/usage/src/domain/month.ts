import { type Branded, type Duration, type Instant, invalidRequest } from '#kernel';

/** A calendar month in UTC, as `YYYY-MM`; in this form months sort as text. */
export type Month = Branded<'month'>;

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

export const parseMonth = (text: string): Month | undefined => (MONTH.test(text) ? (text as Month) : undefined);

export const monthOf = (at: Instant): Month => new Date(at).toISOString().slice(0, 7) as Month;

export const nextMonth = (month: Month): Month => {
  const { year, index } = parts(month);
  return monthOf(beginningOf(year, index + 1));
};

export const spanOf = (month: Month): { readonly start: Instant; readonly end: Instant; readonly length: Duration } => {
  const { year, index } = parts(month);
  const [start, end] = [beginningOf(year, index), beginningOf(year, index + 1)];
  return { start, end, length: end - start };
};

export const begunMonth = (asked: Month | undefined, now: Instant) => {
  const month = asked ?? monthOf(now);
  const { start, end } = spanOf(month);
  if (start > now) throw invalidRequest({ field: 'month', message: 'must not be in the future' });
  return { month, start, end };
};

/** The part of a half-open interval in each month, in order; none for an empty interval. */
export const splitByMonth = (from: Instant, to: Instant): { readonly month: Month; readonly length: Duration }[] => {
  const shares = [];
  for (let month = monthOf(from); from < to && spanOf(month).start < to; month = nextMonth(month)) {
    const { start, end } = spanOf(month);
    shares.push({ month, length: Math.min(to, end) - Math.max(from, start) });
  }
  return shares;
};

export const monthsOf = (from: Instant, to: Instant): Month[] =>
  from < to ? splitByMonth(from, to).map(({ month }) => month) : [monthOf(from)];

/** Not by `Date.UTC`, which reads the years 0 to 99 as those of the last century. */
const beginningOf = (year: number, index: number): Instant => new Date(0).setUTCFullYear(year, index, 1);

const parts = (month: Month) => ({ year: Number(month.slice(0, 4)), index: Number(month.slice(5)) - 1 });
