import { type Instant, invalidRequest, parseTime } from '#kernel';

/** The time that an option names. */
export const instantOf = (field: string, text: string): Instant => {
  const instant = /^\d+$/.test(text) ? Number(text) : parseTime(text);
  if (instant !== undefined && Number.isSafeInteger(instant)) return instant;
  throw invalidRequest({ field, message: 'must be a time such as 2026-01-31T12:00:00Z' });
};
