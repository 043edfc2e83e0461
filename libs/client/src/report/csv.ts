/** The records of a CSV text as RFC 4180 has it. A cell that is not quoted may have quotes inside. */
export const readCsv = (text: string): string[][] => {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [cell, quoted, plain = '', end] of text.matchAll(CELL)) {
    if (cell === '') break;
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
};

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|$)/g;
