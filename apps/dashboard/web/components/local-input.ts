const two = (number: number): string => `${number}`.padStart(2, '0');

/** What an input for a local time shows of epoch milliseconds: `2026-11-26T09:05`. */
export const localInput = (milliseconds: string | undefined): string => {
  const at = new Date(milliseconds === undefined || milliseconds === '' ? Number.NaN : Number(milliseconds));
  if (Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

/** The same time in UTC, in words. */
export const inUtc = (milliseconds: string | undefined): string | undefined =>
  localInput(milliseconds) === ''
    ? undefined
    : `${new Date(Number(milliseconds)).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const timeOfInput = (text: string): string | undefined => {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : `${at}`;
};
