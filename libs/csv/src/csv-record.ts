type Cell = string | number | boolean | null;

/** What a spreadsheet takes for a formula, or strips until the rest is one. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A record of RFC 4180, every cell quoted, formulas disarmed (D52). Our own, because csv-stringify's `escape_formulas`
 * has another rule: it lets negative numbers pass, and changes cells that begin with full-width signs.
 */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

const csvCell = (value: Cell): string => {
  const text = value === null ? '' : String(value);
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
};
