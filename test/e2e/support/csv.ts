/** Reads CSV as RFC 4180 has it, every cell quoted, and nothing more lenient. */
export const readCsv = (text: string): string[][] => {
  const records: string[][] = [];
  let record: string[] = [];
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/gy;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, content = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`no cell at ${at}: ${JSON.stringify(text.slice(at, at + 80))}`);
    record.push(content.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
};
