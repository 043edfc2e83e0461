type Cell = string | number | boolean | null;

/** What a spreadsheet would take for a formula, or strip until it is one. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A record of RFC 4180, every cell quoted, formulas disarmed (D52). Ours, because csv-stringify's `escape_formulas` is
 * another rule: it lets negative numbers pass, and changes cells that begin with full-width signs.
 */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

const csvCell = (value: Cell): string => {
  const text = value === null ? '' : String(value);
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
};
