import { INVISIBLE } from '#kernel';

type Cell = string | number | boolean | null;

/** A sign with which a formula begins, also as a full-width character, which spreadsheets convert. */
const SIGN = '[=+\\-@\uff1d\uff0b\uff0d\uff20]';

/** A spreadsheet treats this as a formula. Some programs drop blanks and invisible characters before the sign. */
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${INVISIBLE}*${SIGN})`, 'u');

/**
 * A record of RFC 4180, every cell quoted, formulas disarmed (D52). Our own, because csv-stringify's `escape_formulas`
 * has another rule: it lets negative numbers pass, and signs behind blanks and invisible characters.
 */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

const csvCell = (value: Cell): string => {
  const text = value === null ? '' : String(value);
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
};
